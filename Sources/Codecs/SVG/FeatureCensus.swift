/// Looks through a document, written anew where that helps, for what librsvg 2.54 leaves out and
/// browsers draw: HTML, text along a path, shapes that clip, gradients as masks, rules and values
/// of newer CSS.
enum FeatureCensus {
    static func findsUnsupported(_ text: Span<UInt8>) -> Bool {
        var walker = XMLWalker(text)
        var isSheet = false
        var isWords = false
        var isRoot = true
        var depth = 0
        var clip: Clip?
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                let name = walker.text(name).split(separator: ":").last ?? ""
                isSheet = !isEmpty && name == "style"
                isWords = name == "text" || name == "tspan"
                if let open = clip, open.depth == depth - 1 {
                    clip?.children += 1
                    if isEvenOdd(attributes, text) { clip?.isEvenOdd = true }
                    if let clip, clip.isEvenOdd, clip.children > 1 { return true }
                }
                if name == "clipPath", !isEmpty { clip = Clip(depth: depth) }
                if !isEmpty { depth += 1 }
                if !isEmpty, isLeftOut(String(name), attributes, text) { return true }
                if isUnsupported(attributes, text, isRoot: isRoot) { return true }
                isRoot = false
            case .close:
                isSheet = false
                depth -= 1
                if clip?.depth == depth { clip = nil }
            case .text(let range):
                if isSheet, isUnsupported(sheet: range, text) { return true }
                if isWords, hasEmoji(range, text) { return true }
            case .doctype: continue
            case .end, .cut: return false
            }
        }
    }

    /// The children of a clip path, which librsvg fills by one rule.
    private struct Clip {
        let depth: Int
        var children = 0
        var isEvenOdd = false
    }

    private static func isEvenOdd(
        _ attributes: [XMLWalker.Attribute], _ text: Span<UInt8>
    ) -> Bool {
        attributes.contains { attribute in
            text.hasName("clip-rule", attribute.name)
                && text.hasName("evenodd", text.trimmed(attribute.value))
                || text.hasName("style", attribute.name)
                    && text.contains("clip-rule:evenodd", in: attribute.value)
        }
    }

    /// Emoji, which are drawn in one colour.
    private static func hasEmoji(_ range: Range<Int>, _ text: Span<UInt8>) -> Bool {
        range.contains { index in
            text[index] == 0xF0 && index + 2 < text.count && text[index + 1] == 0x9F
                && (0x8C...0xAB).contains(text[index + 2])
        }
    }

    /// Elements of which nothing is drawn. HTML that asks for another program's extension is not
    /// drawn by browsers either.
    private static func isLeftOut(
        _ name: String, _ attributes: [XMLWalker.Attribute], _ text: Span<UInt8>
    ) -> Bool {
        switch name {
        case "textPath": true
        case "foreignObject":
            !attributes.contains { text.hasName("requiredExtensions", $0.name) }
        // Drawn without its opacity.
        case "symbol": attributes.contains { text.hasName("opacity", $0.name) }
        // Drawn at another place.
        case "clipPath":
            attributes.contains { text.hasName("transform", $0.name) }
                && attributes.contains { text.hasName("objectBoundingBox", $0.value) }
        default: false
        }
    }

    private static func isUnsupported(
        _ attributes: [XMLWalker.Attribute], _ text: Span<UInt8>, isRoot: Bool
    ) -> Bool {
        var moves = (origin: false, transform: false)
        for attribute in attributes {
            if text.hasName("style", attribute.name) {
                if isUnsupported(style: attribute.value, text, &moves) { return true }
                if isRoot, hasBackground(attribute.value, text) { return true }
            } else if text.hasName("transform-origin", attribute.name) {
                moves.origin = true
            } else if text.hasName("transform", attribute.name) {
                moves.transform = true
            } else if [
                "fill", "stroke", "color", "clip-path", "mask", "stop-color", "flood-color",
                "stroke-width", "lighting-color", "filter",
            ].contains(text.string(attribute.name.prefix(16))),
                isUnsupported(text.string(attribute.name), value(text, attribute.value))
            {
                return true
            }
        }
        return moves.origin && moves.transform
    }

    private static func isUnsupported(sheet range: Range<Int>, _ text: Span<UInt8>) -> Bool {
        var moves = (origin: false, transform: false)
        var reader = StyleSheetReader(text, range, .light)
        while let piece = reader.next() {
            switch piece {
            case .raw(let range):
                guard range.count > 1, text[range.lowerBound] == UInt8(ascii: "@") else { continue }
                let word = text.string(range.prefix(24)).lowercased()
                let isKnown = [
                    "@media", "@layer", "@scope", "@property", "@container", "@supports",
                ]
                .contains { word.hasPrefix($0) }
                // A statement without a block says nothing of its own.
                if isKnown, text.contains("{", in: range) { return true }
            case .rule(let selectors, let body):
                for word in [":is(", ":where(", ":has("] as [StaticString]
                where text.contains(word, in: selectors, anyCase: true) {
                    return true
                }
                if isUnsupported(style: body, text, &moves) { return true }
                if text.hasName("svg", text.trimmed(selectors)), hasBackground(body, text) {
                    return true
                }
            }
        }
        return moves.origin && moves.transform
    }

    private static func isUnsupported(
        style range: Range<Int>, _ text: Span<UInt8>, _ moves: inout (origin: Bool, transform: Bool)
    ) -> Bool {
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            let name = text.string(declaration.name.prefix(32)).lowercased()
            let value = value(text, declaration.value)
            if name == "transform-origin", value != "0 0", value != "0px 0px" {
                moves.origin = true
            }
            if name == "transform", value != "none" { moves.transform = true }
            if isUnsupported(name, value) { return true }
        }
        return false
    }

    /// The beginning of a value, without what makes it important.
    private static func value(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
        let value = text.string(range.prefix(4096)).lowercased().split(separator: "!").first ?? ""
        return value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isUnsupported(_ name: String, _ value: String) -> Bool {
        guard !name.hasPrefix("--"), !["", "none", "initial", "inherit", "unset"].contains(value)
        else { return false }
        switch name {
        case "clip-path": return value.contains("(") && !value.hasPrefix("url(")
        case "mask": return !(value.hasPrefix("url(") && value.hasSuffix(")"))
        case "filter": return value.contains("hue-rotate(") || value.contains("saturate(")
        case "mask-image", "-webkit-mask", "-webkit-mask-image", "rotate", "scale", "translate",
            "offset-path", "d":
            return true
        default: return value.contains("(") && hasUnknownFunction(value)
        }
    }

    private static func hasUnknownFunction(_ value: String) -> Bool {
        var word = ""
        for character in value {
            guard character == "(" else {
                let isName = character.isLetter || character.isNumber || character == "-"
                word = isName ? word + String(character) : ""
                continue
            }
            if ["calc", "min", "max", "clamp", "var"].contains(word) || CSSColor.isModern(word) {
                return true
            }
            word = ""
        }
        return ["rgb(from ", "rgba(from ", "hsl(from "].contains { value.contains($0) }
    }

    /// Browsers paint what lies behind the root.
    private static func hasBackground(_ range: Range<Int>, _ text: Span<UInt8>) -> Bool {
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            let name = text.string(declaration.name.prefix(32))
            guard name == "background" || name == "background-color" else { continue }
            let value = value(text, declaration.value)
            if !["none", "transparent", "initial", "inherit", "unset", "0 0", ""].contains(value) {
                return true
            }
        }
        return false
    }
}
