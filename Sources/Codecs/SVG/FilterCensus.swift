/// Looks through the filters of a document for what librsvg 2.54 does not draw as browsers do.
///
/// It leaves primitives out that it does not know, and what a filter shows without one of them is
/// often nothing; so it is with inputs that name no result, with the backgrounds and paints of
/// SVG 1.1, with pictures in a filter, and with blurs of less than nothing.
enum FilterCensus {
    /// Whether any filter that something refers to asks for such a thing.
    static func findsUnsupported(_ text: Span<UInt8>) -> Bool {
        let suspects = suspects(text)
        return !suspects.isEmpty && refers(text, to: suspects)
    }

    /// The ids of the filters that ask for such a thing.
    private static func suspects(_ text: Span<UInt8>) -> Set<String> {
        var suspects: Set<String> = []
        var walker = XMLWalker(text)
        var depth = 0
        var filter: (depth: Int, id: String, results: Set<String>)?
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                let name = localName(walker.text(name))
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
            case .end, .cut: return suspects
            }
        }
    }

    /// Whether any `url(#…)` names one of these.
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

    private static func localName(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
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
