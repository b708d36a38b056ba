/// Decides whether a document is a template: a drawing whose colour is chosen by the viewer.
///
/// A document is a template if its root has `data-template="true"`. Otherwise every stated paint
/// must be `currentColor`, with at least one, and no shape may use the default fill, which is
/// black. Paints are `fill`, `stroke`, `stop-color`, `flood-color` and `lighting-color`, as
/// attributes, in `style` and in style sheets. `none`, `transparent`, `inherit` and `url(#…)` do
/// not count as paints, and neither does the content of `clipPath` and `mask`. Embedded images,
/// entities, nesting beyond 256 and text beyond 256 KB make a document not a template.
struct TemplateScan: ~Escapable {
    static let bytesLimit = 256 << 10
    static let depthLimit = 256

    private struct Level {
        var fillStated = false
        var isExempt = false
        var isDefinition = false
        var isStyle = false
    }

    private var walker: XMLWalker
    private var levels: [Level] = []
    private var statesCurrent = false
    private var statesOther = false
    private var sheetStatesFill = false

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
        while !statesOther {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                if !seenRoot {
                    seenRoot = true
                    if let answer = rootSays(attributes) { return answer }
                    if walker.bytes.count > Self.bytesLimit { return false }
                }
                enter(walker.bytes.localName(name), attributes)
                if isEmpty { levels.removeLast() }
                if levels.count > Self.depthLimit { return false }
            case .close:
                if !levels.isEmpty { levels.removeLast() }
            case .text(let range):
                if levels.last?.isStyle == true { readSheet(range) }
            case .doctype(let range):
                if walker.bytes.contains("<!ENTITY", in: range) { statesOther = true }
            case .end:
                return statesCurrent
            case .cut:
                return false
            }
        }
        return false
    }

    private func rootSays(_ attributes: [XMLWalker.Attribute]) -> Bool? {
        for attribute in attributes where walker.text(attribute.name) == "data-template" {
            return walker.text(attribute.value) == "true"
        }
        return nil
    }

    private mutating func enter(_ name: String, _ attributes: [XMLWalker.Attribute]) {
        var level = levels.last ?? Level()
        level.isStyle = name == "style"
        if Self.cutting.contains(name) { level.isExempt = true }
        if Self.defining.contains(name) { level.isDefinition = true }
        var statesStop = false
        if !level.isExempt, !Self.moving.contains(name) {
            for attribute in attributes {
                let property = walker.text(attribute.name)
                if property == "style" {
                    let stated = readDeclarations(attribute.value)
                    level.fillStated = level.fillStated || stated.contains("fill")
                    statesStop = statesStop || stated.contains("stop-color")
                } else if Self.paints.contains(property) {
                    weigh(walker.text(attribute.value))
                    level.fillStated = level.fillStated || property == "fill"
                    statesStop = statesStop || property == "stop-color"
                }
            }
            if Self.pictures.contains(name) { statesOther = true }
            if Self.shapes.contains(name), !level.fillStated, !level.isDefinition, !sheetStatesFill
            {
                statesOther = true
            }
            if name == "stop", !statesStop, !sheetStatesFill { statesOther = true }
        }
        levels.append(level)
    }

    private mutating func readSheet(_ range: Range<Int>) {
        // Rules that depend on the scheme are resolved by now.
        var reader = StyleSheetReader(walker.bytes, range, .light)
        while let piece = reader.next() {
            guard case .rule(_, let body) = piece else { continue }
            if readDeclarations(body).contains("fill") { sheetStatesFill = true }
        }
    }

    /// Evaluates the paints among declarations and returns the properties that have one.
    private mutating func readDeclarations(_ range: Range<Int>) -> [String] {
        var stated: [String] = []
        var reader = StyleDeclarations(walker.bytes, range)
        while let declaration = reader.next() {
            let property = walker.text(declaration.name)
            guard Self.paints.contains(property) else { continue }
            weigh(String(walker.text(declaration.value).prefix { $0 != "!" }))
            stated.append(property)
        }
        return stated
    }

    private mutating func weigh(_ paint: String) {
        let paint = paint.filter { !$0.isWhitespace }.lowercased()
        if paint == "currentcolor" {
            statesCurrent = true
        } else if !Self.neutral.contains(paint), !paint.hasPrefix("url(") {
            statesOther = true
        }
    }

    private static let paints: Set<String> = [
        "fill", "stroke", "stop-color", "flood-color", "lighting-color",
    ]
    private static let neutral: Set<String> = [
        "", "none", "transparent", "inherit", "context-fill", "context-stroke",
    ]
    private static let shapes: Set<String> = [
        "path", "rect", "circle", "ellipse", "polyline", "polygon", "text", "use",
    ]
    private static let pictures: Set<String> = ["image", "feImage", "foreignObject"]
    private static let cutting: Set<String> = ["clipPath", "mask"]
    private static let moving: Set<String> = [
        "animate", "animateColor", "animateMotion", "animateTransform", "set",
    ]
    private static let defining: Set<String> = [
        "defs", "symbol", "pattern", "marker", "linearGradient", "radialGradient", "filter",
    ]
}
