/// Scans a rewritten document for features that browsers draw and librsvg 2.54 does not: HTML, text
/// on a path, clipping shapes, gradients as masks, and rules and values of newer CSS.
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
                let name = text.localName(name)
                isSheet = !isEmpty && name == "style"
                isWords = name == "text" || name == "tspan"
                if let open = clip, open.depth == depth - 1 {
                    clip?.children += 1
                    if isEvenOdd(attributes, text) { clip?.isEvenOdd = true }
                    if let clip, clip.isEvenOdd, clip.children > 1 { return true }
                }
                if name == "clipPath", !isEmpty { clip = Clip(depth: depth) }
                if !isEmpty { depth += 1 }
                if !isEmpty, isDrawnWrongly(name, attributes, text) { return true }
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
            case .end, .truncated: return false
            }
        }
    }

    /// The clip path that the scan is in. librsvg fills all of its children by one rule.
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

    /// Returns whether a range contains emoji, which librsvg draws in one colour.
    private static func hasEmoji(_ range: Range<Int>, _ text: Span<UInt8>) -> Bool {
        range.contains { index in
            text[index] == 0xF0 && index + 2 < text.count && text[index + 1] == 0x9F
                && (0x8C...0xAB).contains(text[index + 2])
        }
    }

    /// Returns whether librsvg omits an element or draws it wrongly. Browsers, too, omit HTML with
    /// `requiredExtensions`.
    private static func isDrawnWrongly(
        _ name: String, _ attributes: [XMLWalker.Attribute], _ text: Span<UInt8>
    ) -> Bool {
        switch name {
        case "textPath": true
        case "foreignObject":
            !attributes.contains { text.hasName("requiredExtensions", $0.name) }
        // librsvg draws a symbol without its opacity and transform.
        case "symbol":
            attributes.contains {
                text.hasName("opacity", $0.name) || text.hasName("transform", $0.name)
            }
        // librsvg draws such a clip path at a wrong position.
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
                let word = text.string(range.prefix(64)).lowercased()
                let isKnown = [
                    "@media", "@layer", "@scope", "@property", "@container", "@supports",
                ]
                .contains { word.hasPrefix($0) }
                // Browsers skip blocks for print and reduced motion in a still image on a screen.
                let isSkipped =
                    word.hasPrefix("@media print")
                    || word.replacing(" ", with: "").hasPrefix(
                        "@media(prefers-reduced-motion:reduce)")
                // An at-rule without a block does not change the drawing.
                if isKnown, !isSkipped, text.contains("{", in: range) { return true }
            case .rule(let selectors, let body):
                for word in [":is(", ":where(", ":has("] as [StaticString]
                where text.contains(word, in: selectors, anyCase: true) {
                    return true
                }
                // librsvg ignores nested rules.
                let brace = StyleValue.end(in: text, from: body.lowerBound, to: body.upperBound) {
                    byte, _ in byte == UInt8(ascii: "{")
                }
                if brace < body.upperBound { return true }
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

    /// Returns the start of a value, without `!important`.
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
            if unknownFunctions.contains(word) { return true }
            word = ""
        }
        return ["rgb(from ", "rgba(from ", "hsl(from "].contains { value.contains($0) }
    }

    private static let unknownFunctions: Set<String> = [
        "calc", "min", "max", "clamp", "var", "oklch", "oklab", "lab", "lch", "hwb", "color",
        "color-mix", "light-dark",
    ]

    /// Returns whether the root has a background, which only browsers paint.
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

/// Scans the filters of a document for features that librsvg 2.54 draws differently from browsers.
///
/// librsvg ignores unknown primitives, and the filter then often shows nothing. It also fails on
/// unnamed inputs, background and paint inputs of SVG 1.1, images in a filter, and negative blurs.
enum FilterCensus {
    /// Returns whether the document refers to a filter that librsvg draws differently.
    static func findsUnsupported(_ text: Span<UInt8>) -> Bool {
        let suspects = suspects(text)
        return !suspects.isEmpty && refers(text, to: suspects)
    }

    /// Returns the ids of the filters that librsvg draws differently from browsers.
    private static func suspects(_ text: Span<UInt8>) -> Set<String> {
        var suspects: Set<String> = []
        var walker = XMLWalker(text)
        var depth = 0
        var filter: (depth: Int, id: String, results: Set<String>)?
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                let name = text.localName(name)
                if let open = filter, name.hasPrefix("fe") {
                    if isUnsupported(name, attributes, walker, open.results) {
                        suspects.insert(open.id)
                    }
                    for attribute in attributes where walker.text(attribute.name) == "result" {
                        filter?.results.insert(trimmed(walker.text(attribute.value)))
                    }
                } else if name == "filter", !isEmpty {
                    let id = attributes.first { walker.text($0.name) == "id" }
                    filter = (depth, id.map { walker.text($0.value) } ?? "", [])
                }
                if !isEmpty { depth += 1 }
            case .close:
                depth -= 1
                if filter?.depth == depth { filter = nil }
            case .text, .doctype: continue
            case .end, .truncated: return suspects
            }
        }
    }

    /// Returns whether any `url(#…)` names one of the ids.
    private static func refers(_ text: Span<UInt8>, to ids: Set<String>) -> Bool {
        let walker = XMLWalker(text)
        for index in 0..<text.count where text.hasWord("url(", at: index, anyCase: true) {
            var start = index + 4
            while start < text.count, text[start] != UInt8(ascii: "#"), start < index + 16 {
                start += 1
            }
            start = min(text.count, start + 1)
            var end = start
            while end < text.count, end < start + 64,
                ![UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&")]
                    .contains(text[end])
            {
                end += 1
            }
            if ids.contains(walker.text(text.trimmed(start..<end))) { return true }
        }
        return false
    }

    private static func isUnsupported(
        _ name: String, _ attributes: [XMLWalker.Attribute], _ walker: borrowing XMLWalker,
        _ results: Set<String>
    ) -> Bool {
        guard known.contains(name) else { return true }
        for attribute in attributes {
            let value = trimmed(walker.text(attribute.value))
            switch walker.text(attribute.name) {
            case "in", "in2":
                guard value.isEmpty || sources.contains(value) || results.contains(value) else {
                    return true
                }
            case "href", "xlink:href":
                if name == "feImage", !value.hasPrefix("#") { return true }
            case "operator":
                if name == "feComposite", value == "lighter" { return true }
            case "stdDeviation":
                if value.hasPrefix("-") { return true }
            default: continue
            }
        }
        return false
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(where: \.isWhitespace) else { return text }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let sources: Set<String> = ["SourceGraphic", "SourceAlpha"]
    private static let known: Set<String> = [
        "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix",
        "feDiffuseLighting", "feDisplacementMap", "feDropShadow", "feFlood", "feGaussianBlur",
        "feImage",
        "feMerge", "feMergeNode", "feMorphology", "feOffset", "feSpecularLighting", "feTile",
        "feTurbulence", "feDistantLight", "fePointLight", "feSpotLight", "feFuncR", "feFuncG",
        "feFuncB", "feFuncA",
    ]
}
