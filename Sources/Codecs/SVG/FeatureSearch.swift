/// Searches the bytes of a document for features that browsers draw and librsvg 2.54 does not:
/// drop shadows, HTML, text on a path, a background, and newer CSS. Nothing is parsed, so a word in
/// a script or a comment counts, too.
enum FeatureSearch {
    static func findsUnsupported(in text: Span<UInt8>) -> Bool {
        for index in 0..<text.count {
            let isFound =
                switch text[index] {
                case UInt8(ascii: "<"), UInt8(ascii: ":"): hasElement(text, at: index + 1)
                case UInt8(ascii: "("):
                    functions.contains { word in
                        let start = index - word.utf8CodeUnitCount
                        return text.hasWord(word, at: start, anyCase: true)
                            && isStart(text, start)
                    }
                case UInt8(ascii: "@"): rules.contains { text.hasWord($0, at: index) }
                case UInt8(ascii: "b"), UInt8(ascii: "m"), UInt8(ascii: "t"):
                    properties.contains { word in
                        text.hasWord(word, at: index) && isStart(text, index)
                    }
                default: false
                }
            if isFound { return true }
        }
        return false
    }

    /// Returns whether a word that is found at `index` is not the end of a longer name.
    private static func isStart(_ text: Span<UInt8>, _ index: Int) -> Bool {
        index == 0 || !SVGCharacter.isNamePart(text[index - 1]) || text[index] == UInt8(ascii: ":")
    }

    private static func hasElement(_ text: Span<UInt8>, at index: Int) -> Bool {
        if text.hasWord("feDropShadow", at: index) || text.hasWord("textPath", at: index) {
            return true
        }
        guard text.hasWord("foreignObject", at: index) else { return false }
        // Browsers, too, omit HTML that requires an extension.
        var end = index
        while end < text.count, text[end] != UInt8(ascii: ">") { end += 1 }
        return !text.contains("requiredExtensions", in: index..<end)
    }

    private static let functions: [StaticString] = [
        "var", "calc", "min", "max", "clamp", "oklch", "oklab", "lab", "lch", "hwb", "color",
        "color-mix", "light-dark", "circle", "ellipse", "inset", "polygon", "path",
        "linear-gradient", "hue-rotate", ":is", ":where", ":has",
    ]
    private static let rules: [StaticString] = [
        "@media", "@layer", "@supports", "@container", "@scope",
    ]
    private static let properties: [StaticString] = [
        "background:", "background-color:", "mask-image:", "transform-origin",
    ]
}
