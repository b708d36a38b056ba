/// Counts the surfaces of a drawing that are held at once, and the nesting depth of its elements.
///
/// A group with opacity, a mask, a filter or a blend mode is drawn on a surface as large as the
/// whole drawing, and groups nest. References with `use` count too and can create many levels from
/// few elements. The count is an upper bound from the text alone and applies to every size.
enum SurfaceDepth {
    static let limit = 200
    /// The most nested elements, references included; each takes at least two kilobytes of stack.
    private static let elementsLimit = 600

    /// Returns the number of nested surfaces; throws beyond the limits.
    static func count(_ text: Span<UInt8>) throws(DecodeError) -> Int {
        let graph = DrawingGraph(text)
        guard let deepest = graph.deepest(surfaces: limit, elements: elementsLimit) else {
            throw .limitDecode(
                "an SVG with more than \(limit) nested surfaces or \(elementsLimit) nested "
                    + "elements")
        }
        return deepest
    }
}

/// The elements of a document and the references between them.
private struct DrawingGraph {
    private static let none: Int32 = -1

    private var firstChild: [Int32] = []
    private var nextSibling: [Int32] = []
    /// The number of surfaces that each element itself needs.
    private var weights: [Int32] = []
    /// The index in `references` of each element's first reference; the references end where those
    /// of the next element begin.
    private var firstReference: [Int] = []
    private var references: [[UInt8]] = []
    private var ids: [[UInt8]: Int32] = [:]

    init(_ text: Span<UInt8>) {
        let sheet = SheetSurfaces(text)
        var walker = XMLWalker(text)
        // The open elements with their last children.
        var open: [(node: Int32, last: Int32, isFilter: Bool)] = []
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                let node = Int32(clamping: weights.count)
                let element = SurfaceUse(text, name, attributes, sheet)
                firstChild.append(Self.none)
                nextSibling.append(Self.none)
                weights.append(element.weight)
                firstReference.append(references.count)
                references += element.references
                if let id = element.id, ids[id] == nil { ids[id] = node }
                if let parent = open.indices.last {
                    if open[parent].last == Self.none {
                        firstChild[Int(open[parent].node)] = node
                    } else {
                        nextSibling[Int(open[parent].last)] = node
                    }
                    open[parent].last = node
                    // The result of each primitive is kept until the filter ends.
                    if open[parent].isFilter { weights[Int(open[parent].node)] += 1 }
                }
                if !isEmpty { open.append((node, Self.none, element.isFilter)) }
            case .close: _ = open.popLast()
            case .text, .doctype: continue
            case .end, .truncated:
                firstReference.append(references.count)
                return
            }
        }
    }

    /// Returns the most nested surfaces; nil beyond the limits. A circular reference adds nothing,
    /// because librsvg does not follow it.
    func deepest(surfaces: Int, elements: Int) -> Int? {
        guard !weights.isEmpty else { return 0 }
        // The surfaces and the elements on the deepest path from each element down.
        var sums = weights.map { Int($0) }
        var heights = [Int](repeating: 0, count: weights.count)
        var seen = [Bool](repeating: false, count: weights.count)
        var stack: [(node: Int, child: Int32, reference: Int)] = []
        func begin(_ node: Int) {
            seen[node] = true
            stack.append((node, firstChild[node], firstReference[node]))
        }
        var isOpen = [Bool](repeating: false, count: weights.count)
        begin(0)
        isOpen[0] = true
        while let top = stack.indices.last {
            let node = stack[top].node
            let next: Int
            if stack[top].child != Self.none {
                next = Int(stack[top].child)
                if seen[next] || heights[next] > 0 {
                    stack[top].child = nextSibling[next]
                }
            } else if stack[top].reference < firstReference[node + 1] {
                guard let target = ids[references[stack[top].reference]] else {
                    stack[top].reference += 1
                    continue
                }
                next = Int(target)
                if seen[next] { stack[top].reference += 1 }
            } else {
                heights[node] += 1
                guard sums[node] <= surfaces, heights[node] <= elements else { return nil }
                isOpen[node] = false
                stack.removeLast()
                continue
            }
            if !seen[next] {
                isOpen[next] = true
                begin(next)
            } else if !isOpen[next] {
                sums[node] = max(sums[node], Int(weights[node]) + sums[next])
                heights[node] = max(heights[node], heights[next])
            }
        }
        return sums[0]
    }
}

/// The surfaces that one element needs, and the ids to which it refers.
private struct SurfaceUse {
    private(set) var weight: Int32 = 0
    private(set) var references: [[UInt8]] = []
    private(set) var id: [UInt8]?
    let isFilter: Bool

    init(
        _ text: Span<UInt8>, _ name: Range<Int>, _ attributes: [XMLWalker.Attribute],
        _ sheet: SheetSurfaces
    ) {
        let type = text.localName(name)
        isFilter = type == "filter"
        // A filter holds the source graphic and the input of the current primitive.
        if isFilter { weight = 2 }
        if type == "pattern" { weight = 1 }
        var keys = [type]
        for attribute in attributes where attribute.name.count <= 32 {
            let value = attribute.value
            switch text.localName(attribute.name) {
            case "id":
                let signs = XMLReference.resolved(text, value)
                id = signs
                if !sheet.isEmpty { keys.append("#" + String(decoding: signs, as: UTF8.self)) }
            case "class":
                guard !sheet.isEmpty else { continue }
                let names = String(decoding: XMLReference.resolved(text, value), as: UTF8.self)
                keys += names.split { $0.isWhitespace }.map { "." + $0 }
            case "href":
                let target = XMLReference.resolved(text, text.trimmed(value))
                guard target.first == UInt8(ascii: "#") else { continue }
                references.append(Array(target.dropFirst()))
            case "style":
                let style = XMLReference.resolved(text, value)
                take(SurfaceStyle(style.span, 0..<style.count))
            case let property where SurfaceStyle.isRelevant(property):
                let signs = XMLReference.resolved(text, value)
                var style = SurfaceStyle()
                style.take(property, signs.span, 0..<signs.count)
                take(style)
            default: continue
            }
        }
        guard !sheet.isEmpty else { return }
        for style in sheet.styles(for: keys) { take(style) }
    }

    private mutating func take(_ style: SurfaceStyle) {
        weight += style.weight
        references += style.references
    }
}

/// The surfaces that declarations need, and the elements they refer to.
struct SurfaceStyle {
    private(set) var weight: Int32 = 0
    private(set) var references: [[UInt8]] = []

    init() {}

    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            guard declaration.name.count <= 32 else { continue }
            let property = text.string(declaration.name).lowercased()
            if Self.isRelevant(property) { take(property, text, declaration.value) }
        }
    }

    var isEmpty: Bool { weight == 0 && references.isEmpty }

    /// Returns whether a property can need a surface or refer to an element.
    static func isRelevant(_ property: String) -> Bool { properties.contains(property) }

    /// Adds the surfaces and references of a declaration.
    mutating func take(_ property: String, _ text: Span<UInt8>, _ value: Range<Int>) {
        switch property {
        case "opacity":
            if !isOpaque(text, text.trimmed(value)) { weight += 1 }
        case "mix-blend-mode", "isolation": weight += 1
        // A mask needs three surfaces: its content, the mask made of that content, and the masked
        // element.
        case "mask": if refers(text, value) { weight += 3 }
        case "filter": if !text.hasName("none", text.trimmed(value)) { weight += 2 }
        default: break
        }
        _ = refers(text, value, adding: true)
    }

    private func isOpaque(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
        guard let number = SVGNumber(text, from: value.lowerBound, to: value.upperBound) else {
            return false
        }
        let end = number.range.upperBound
        let isShare = end < value.upperBound && text[end] == UInt8(ascii: "%")
        return number.value >= (isShare ? 100 : 1)
    }

    /// Returns whether a value contains `url(#…)`. With `adding`, records the ids.
    private mutating func refers(
        _ text: Span<UInt8>, _ range: Range<Int>, adding: Bool = false
    ) -> Bool {
        var found = false
        for index in range where text.hasWord("url(", at: index, anyCase: true) {
            var start = index + 4
            while start < range.upperBound, text[start] != UInt8(ascii: "#") { start += 1 }
            start += 1
            var end = start
            while end < range.upperBound, !Self.ends.contains(text[end]) { end += 1 }
            guard start < end else { continue }
            found = true
            if adding { references.append(text.array(start..<end)) }
        }
        return found
    }

    private static let ends: [UInt8] = [
        UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x20,
    ]
    private static let properties: Set<String> = [
        "opacity", "mix-blend-mode", "isolation", "mask", "filter", "clip-path", "fill", "stroke",
        "marker", "marker-start", "marker-mid", "marker-end",
    ]
}

/// The style sheet rules that need surfaces, indexed by every name in their selectors.
///
/// A rule counts for each element that one of the names may match, so the count is never too low.
struct SheetSurfaces {
    private var styles: [String: [SurfaceStyle]] = [:]

    var isEmpty: Bool { styles.isEmpty }

    init(_ text: Span<UInt8>) {
        var walker = XMLWalker(text)
        var isSheet = false
        while true {
            switch walker.next() {
            case .open(let name, _, let isEmpty):
                isSheet = !isEmpty && (text.string(name.suffix(5)) == "style")
            case .close: isSheet = false
            case .text(let range):
                guard isSheet else { continue }
                take(text, range)
            case .doctype: continue
            case .end, .truncated: return
            }
        }
    }

    func styles(for keys: [String]) -> [SurfaceStyle] {
        (keys + [Self.any]).flatMap { styles[$0] ?? [] }
    }

    private static let any = "*"

    private mutating func take(_ text: Span<UInt8>, _ range: Range<Int>) {
        // `SVGRewriter` has resolved media queries for the colour scheme, so any scheme gives all
        // rules.
        var reader = StyleSheetReader(text, range, .light)
        while let piece = reader.next() {
            guard case .rule(let selectors, let body) = piece else { continue }
            let style = SurfaceStyle(text, body)
            guard !style.isEmpty else { continue }
            for key in Self.keys(text, selectors) { styles[key, default: []].append(style) }
        }
    }

    /// Returns the types, classes and ids in selectors, and `*` if other elements may match as
    /// well.
    private static func keys(_ text: Span<UInt8>, _ selectors: Range<Int>) -> Set<String> {
        var keys: Set<String> = []
        var index = selectors.lowerBound
        while index < selectors.upperBound {
            let byte = text[index]
            let start = index
            index += 1
            if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ":") {
                keys.insert(any)
            }
            let isMark = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "#")
            guard isMark || SVGCharacter.isNamePart(byte) else { continue }
            while index < selectors.upperBound, SVGCharacter.isNamePart(text[index]) { index += 1 }
            keys.insert(text.string(start..<index))
        }
        return keys
    }
}
