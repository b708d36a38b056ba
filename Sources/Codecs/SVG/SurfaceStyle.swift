/// What declarations ask for of surfaces, and whom they refer to.
struct SurfaceStyle {
    private(set) var weight: Int32 = 0
    private(set) var references: [[UInt8]] = []

    init() {}

    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            guard declaration.name.count <= 32 else { continue }
            let property = text.string(declaration.name).lowercased()
            if Self.isLooked(at: property) { take(property, text, declaration.value) }
        }
    }

    var isEmpty: Bool { weight == 0 && references.isEmpty }

    static func isLooked(at property: String) -> Bool { properties.contains(property) }

    mutating func take(_ property: String, _ text: Span<UInt8>, _ value: Range<Int>) {
        switch property {
        case "opacity":
            if !isOpaque(text, text.trimmed(value)) { weight += 1 }
        case "mix-blend-mode", "isolation": weight += 1
        // The content, the mask made of it, and what is masked.
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

    /// Takes what `url(#…)` names.
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

/// The rules of a document's style sheets that ask for surfaces, by every name in their selectors.
///
/// A rule counts for each element that one of the names could mean: more than there are, never fewer.
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
            case .end, .cut: return
            }
        }
    }

    func styles(for keys: [String]) -> [SurfaceStyle] {
        (keys + [Self.any]).flatMap { styles[$0] ?? [] }
    }

    private static let any = "*"

    private mutating func take(_ text: Span<UInt8>, _ range: Range<Int>) {
        // What depends on the scheme is resolved by now.
        var reader = StyleSheetReader(text, range, .light)
        while let piece = reader.next() {
            guard case .rule(let selectors, let body) = piece else { continue }
            let style = SurfaceStyle(text, body)
            guard !style.isEmpty else { continue }
            for key in Self.keys(text, selectors) { styles[key, default: []].append(style) }
        }
    }

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
            guard isMark || SVGSign.isName(byte) else { continue }
            while index < selectors.upperBound, SVGSign.isName(text[index]) { index += 1 }
            keys.insert(text.string(start..<index))
        }
        return keys
    }
}
