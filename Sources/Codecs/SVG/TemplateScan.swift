/// Decides whether a document is a template: a drawing whose colour is chosen by the viewer.
///
/// A document is a template if its root has `data-template="true"`. Otherwise at least one paint
/// must be stated, every stated paint must be `currentColor`, and no shape may use the default
/// fill, which is black. Paints are `fill`, `stroke`, `stop-color`, `flood-color` and
/// `lighting-color`, as attributes, in `style` and in style sheets. `none`, `transparent`,
/// `inherit` and `url(#…)` do not count as paints, and neither does the content of `clipPath` and
/// `mask`. Embedded images, entities, nesting beyond 256 and text beyond 256 KB make a document not
/// a template.
struct TemplateScan: ~Escapable {
    static let bytesLimit = 256 << 10
    static let depthLimit = 256

    /// The state of an open element, which its children inherit.
    private struct Level {
        /// Whether the element or an ancestor has a fill.
        var hasFill = false
        /// Whether the element is in a `clipPath` or `mask`, where paints do not count.
        var isExempt = false
        /// Whether the element is drawn only where another element refers to it.
        var isDefinition = false
        var isStyle = false
    }

    private var walker: XMLWalker
    private var levels: [Level] = []
    /// Whether a paint is `currentColor`.
    private var hasCurrentColor = false
    /// Whether the document is not a template, for example because of another paint.
    private var isRuledOut = false
    /// Whether a rule of a style sheet has a fill.
    private var sheetHasFill = false

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>) {
        walker = XMLWalker(bytes)
    }

    static func isTemplate(_ bytes: Span<UInt8>) -> Bool {
        var scan = TemplateScan(bytes)
        return scan.run()
    }

    private mutating func run() -> Bool {
        var seenRoot = false
        while !isRuledOut {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                if !seenRoot {
                    seenRoot = true
                    if let answer = rootDeclaration(attributes) { return answer }
                    if walker.bytes.count > Self.bytesLimit { return false }
                }
                enter(walker.bytes.localName(name), attributes)
                if isEmpty { levels.removeLast() }
                if levels.count > Self.depthLimit { return false }
            case .close:
                if !levels.isEmpty { levels.removeLast() }
            case .text(let range):
                if levels.last?.isStyle == true {
                    if readDeclarations(range).contains("fill") { sheetHasFill = true }
                }
            case .doctype(let range):
                if walker.bytes.contains("<!ENTITY", in: range) { isRuledOut = true }
            case .end:
                return hasCurrentColor
            case .truncated:
                return false
            }
        }
        return false
    }

    /// Returns the value of `data-template` on the root; nil if it is absent.
    private func rootDeclaration(_ attributes: [XMLWalker.Attribute]) -> Bool? {
        for attribute in attributes where walker.text(attribute.name) == "data-template" {
            return walker.text(attribute.value) == "true"
        }
        return nil
    }

    private mutating func enter(_ name: String, _ attributes: [XMLWalker.Attribute]) {
        var level = levels.last ?? Level()
        level.isStyle = name == "style"
        if Self.clipping.contains(name) { level.isExempt = true }
        if Self.definitions.contains(name) { level.isDefinition = true }
        var hasStopColor = false
        if !level.isExempt, !Self.animationElements.contains(name) {
            for attribute in attributes {
                let property = walker.text(attribute.name)
                if property == "style" {
                    let stated = readDeclarations(attribute.value)
                    level.hasFill = level.hasFill || stated.contains("fill")
                    hasStopColor = hasStopColor || stated.contains("stop-color")
                } else if Self.paints.contains(property) {
                    note(walker.text(attribute.value))
                    level.hasFill = level.hasFill || property == "fill"
                    hasStopColor = hasStopColor || property == "stop-color"
                }
            }
            if Self.embeddings.contains(name) { isRuledOut = true }
            if Self.shapeElements.contains(name), !level.hasFill, !level.isDefinition, !sheetHasFill
            {
                isRuledOut = true
            }
            if name == "stop", !hasStopColor, !sheetHasFill { isRuledOut = true }
        }
        levels.append(level)
    }

    /// Evaluates the paints in a style sheet or a list of declarations, and returns the names of
    /// the paint properties that it states.
    private mutating func readDeclarations(_ range: Range<Int>) -> [String] {
        var stated: [String] = []
        let ends = Set(";{}".utf8)
        for part in walker.bytes.array(range).split(whereSeparator: ends.contains) {
            let pair = String(decoding: part, as: UTF8.self).split(separator: ":", maxSplits: 1)
            // A comment may precede the name.
            guard pair.count == 2, let name = pair[0].split(whereSeparator: \.isWhitespace).last,
                Self.paints.contains(String(name))
            else { continue }
            note(String(pair[1].prefix { $0 != "!" }))
            stated.append(String(name))
        }
        return stated
    }

    /// Records whether a paint is `currentColor` or rules the document out.
    private mutating func note(_ paint: String) {
        let paint = paint.filter { !$0.isWhitespace }.lowercased()
        if paint == "currentcolor" {
            hasCurrentColor = true
        } else if !Self.neutral.contains(paint), !paint.hasPrefix("url(") {
            isRuledOut = true
        }
    }

    private static let paints: Set<String> = [
        "fill", "stroke", "stop-color", "flood-color", "lighting-color",
    ]
    private static let neutral: Set<String> = [
        "", "none", "transparent", "inherit", "context-fill", "context-stroke",
    ]
    private static let shapeElements: Set<String> = [
        "path", "rect", "circle", "ellipse", "polyline", "polygon", "text", "use",
    ]
    private static let embeddings: Set<String> = ["image", "feImage", "foreignObject"]
    private static let clipping: Set<String> = ["clipPath", "mask"]
    private static let animationElements: Set<String> = [
        "animate", "animateColor", "animateMotion", "animateTransform", "set",
    ]
    private static let definitions: Set<String> = [
        "defs", "symbol", "pattern", "marker", "linearGradient", "radialGradient", "filter",
    ]
}
