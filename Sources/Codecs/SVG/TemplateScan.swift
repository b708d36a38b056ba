/// Decides whether a document is a template: a drawing whose colour is left to whoever shows it.
///
/// A document is one if its root has `data-template="true"`. Else every paint that it states
/// (`fill`, `stroke`, `stop-color`, `flood-color` and `lighting-color`, as attributes, in `style`
/// and in style sheets) must be `currentColor`, one at least, and no shape may be left to the
/// default fill, which is black. `none`, `transparent`, `inherit` and `url(#…)` are no paints of
/// their own. What only cuts or weighs (`clipPath`, `mask`) does not count; an embedded picture
/// makes the answer no, and so do entities, nesting beyond 256 and more than 256 KB of text.
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
                enter(localName(name), attributes)
                if isEmpty { levels.removeLast() }
                if levels.count > Self.depthLimit { return false }
            case .close:
                if !levels.isEmpty { levels.removeLast() }
            case .text(let range):
                if levels.last?.isStyle == true, readDeclarations(range).contains("fill") {
                    sheetStatesFill = true
                }
            case .doctype(let range):
                if contains("<!ENTITY", range) { statesOther = true }
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

    /// Weighs the paints among `property: value` pairs and returns the properties that had one.
    private mutating func readDeclarations(_ range: Range<Int>) -> [String] {
        var stated: [String] = []
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound
        where index == range.upperBound || isSeparator(walker.bytes[index]) {
            if let property = declaration(start..<index) { stated.append(property) }
            start = index + 1
        }
        return stated
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
    }

    private mutating func declaration(_ range: Range<Int>) -> String? {
        let parts = walker.text(range).split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let property = trimmed(parts[0])
        guard Self.paints.contains(property) else { return nil }
        weigh(String(parts[1].prefix { $0 != "!" }))
        return property
    }

    private mutating func weigh(_ paint: String) {
        let paint = trimmed(paint[...]).lowercased()
        if paint == "currentcolor" {
            statesCurrent = true
        } else if !Self.neutral.contains(paint), !paint.hasPrefix("url(") {
            statesOther = true
        }
    }

    private func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }

    private func localName(_ range: Range<Int>) -> String {
        let name = walker.text(range)
        return name.split(separator: ":").last.map(String.init) ?? name
    }

    private func contains(_ word: String, _ range: Range<Int>) -> Bool {
        let word = Array(word.utf8)
        guard range.count >= word.count else { return false }
        for start in range.lowerBound...(range.upperBound - word.count) {
            var offset = 0
            while offset < word.count, walker.bytes[start + offset] == word[offset] { offset += 1 }
            if offset == word.count { return true }
        }
        return false
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
