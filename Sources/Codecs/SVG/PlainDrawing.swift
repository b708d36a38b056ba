/// The shapes of an SVG document, written anew so that they can stand inside another document.
///
/// Only what draws is taken along, from a closed list, and every name is given a prefix, so that
/// nothing of it can meet what stands around it. A document that needs more (scripts, style
/// sheets, embedded pictures, filters, entities) is none of these.
package struct PlainDrawing: Hashable, Sendable {
    /// What stands inside the root element.
    package let body: String
    /// The root's attributes that its shapes inherit, with the view box.
    package let attributes: [Attribute]
    /// Every paint is left to `currentColor`, or none is stated.
    package let isOfOneColor: Bool

    /// A name with its value, which is escaped already.
    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    /// Beyond this a document is embedded whole rather than understood.
    static let bytesLimit = 256 << 10

    /// Nil for a document that holds more than plain shapes; it has been loaded before.
    package init?(_ svg: [UInt8], prefix: String) {
        guard svg.count <= Self.bytesLimit,
            let text = String(validating: svg, as: UTF8.self), !text.contains("<![CDATA[")
        else { return nil }
        var reader = PlainReader(svg.span, prefix: prefix)
        guard reader.read() else { return nil }
        body = reader.body
        attributes = reader.root
        isOfOneColor = !reader.statesPaint
    }
}

/// Goes through a document and writes down what may stay.
private struct PlainReader: ~Escapable {
    private(set) var body = ""
    private(set) var root: [PlainDrawing.Attribute] = []
    private(set) var statesPaint = false
    private var walker: XMLWalker
    private let prefix: String
    private var open: [String] = []
    /// The depth at which something began that is left out with all it holds.
    private var leftOut: Int?

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, prefix: String) {
        walker = XMLWalker(bytes)
        self.prefix = prefix
    }

    /// False where something stands in the way.
    mutating func read() -> Bool {
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                guard begin(string(name), attributes, isEmpty) else { return false }
            case .close(let name):
                guard let last = open.popLast(), last == string(name) else { return false }
                if let depth = leftOut {
                    if open.count == depth { leftOut = nil }
                } else if !open.isEmpty {
                    body += "</\(last)>"
                }
            case .text(let range):
                guard leftOut == nil, let last = open.last, Self.words.contains(last) else {
                    continue
                }
                let text = string(range)
                guard Self.isSound(text) else { return false }
                body += text
            case .doctype(let range):
                if string(range).contains("[") { return false }
            case .end:
                return open.isEmpty && !root.isEmpty
            case .cut:
                return false
            }
        }
    }

    private mutating func begin(
        _ name: String, _ attributes: [XMLWalker.Attribute], _ isEmpty: Bool
    ) -> Bool {
        defer { if !isEmpty { open.append(name) } }
        if leftOut != nil { return true }
        guard Self.drawing.contains(name) else {
            guard name.contains(":") || Self.silent.contains(name) else { return false }
            if !isEmpty { leftOut = open.count }
            return true
        }
        var kept: [PlainDrawing.Attribute] = []
        for attribute in attributes {
            let name = string(attribute.name)
            guard let own = Self.ownName(name) else {
                if name.lowercased().hasPrefix("on") { return false }
                continue
            }
            guard let value = value(string(attribute.value), of: own) else { return false }
            kept.append(.init(name: own, value: value))
        }
        guard !open.isEmpty else {
            guard name == "svg", !isEmpty, root.isEmpty else { return false }
            root = kept.filter { !["width", "height", "x", "y", "id"].contains($0.name) }
            // Never empty, so that a second root is seen.
            root.append(.init(name: "overflow", value: "hidden"))
            return true
        }
        body += "<\(name)" + kept.map { " \($0.name)=\"\($0.value)\"" }.joined()
        body += isEmpty ? "/>" : ">"
        return true
    }

    /// The name under which an attribute stays; nil for those that only its makers read.
    private static func ownName(_ name: String) -> String? {
        if name == "xlink:href" { return "href" }
        let isOurs =
            !name.contains(":") && !name.hasPrefix("xmlns") && !name.hasPrefix("data-")
            && !name.hasPrefix("aria-") && !name.lowercased().hasPrefix("on")
            && !["class", "version", "role", "tabindex", "lang", "baseProfile"].contains(name)
        return isOurs ? name : nil
    }

    /// A value with its names prefixed; nil where it leads out of the document.
    private mutating func value(_ text: String, of name: String) -> String? {
        guard Self.isSound(text), !text.contains("<") else { return nil }
        var value = text.replacing("\"", with: "&quot;").replacing("\n", with: " ")
        switch name {
        case "id":
            return prefix + value
        case "href":
            guard value.hasPrefix("#") else { return nil }
            return "#" + prefix + value.dropFirst()
        case "style":
            for part in value.split(separator: ";") {
                let pair = part.split(separator: ":", maxSplits: 1)
                guard pair.count == 2 else { continue }
                weigh(String(pair[1]), of: pair[0].filter { !$0.isWhitespace })
            }
        default:
            weigh(value, of: name)
        }
        // Written with or without quotes, a reference leads inside or nowhere.
        value = value.replacing("url(&quot;#", with: "url(#").replacing("url('#", with: "url(#")
        value = value.replacing("&quot;)", with: ")").replacing("')", with: ")")
        let references = value.ranges(of: "url(").count
        guard references == value.ranges(of: "url(#").count, !value.contains("@") else {
            return nil
        }
        return value.replacing("url(#", with: "url(#" + prefix)
    }

    private mutating func weigh(_ value: String, of name: String) {
        guard ["fill", "stroke", "stop-color", "flood-color", "color"].contains(name) else {
            return
        }
        let paint = value.filter { !$0.isWhitespace }.lowercased()
        let isNeutral =
            ["currentcolor", "none", "inherit", "transparent"].contains(paint)
            || paint.hasPrefix("url(")
        if !isNeutral { statesPaint = true }
    }

    /// Only the entities that every document knows.
    private static func isSound(_ text: String) -> Bool {
        text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            part in
            ["amp;", "lt;", "gt;", "quot;", "apos;"].contains { part.hasPrefix($0) }
                || part.hasPrefix("#") && part.prefix(10).contains(";")
        }
    }

    private func string(_ range: Range<Int>) -> String { walker.bytes.string(range) }

    private static let drawing: Set<String> = [
        "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs",
        "use", "symbol", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "marker",
        "pattern", "text", "tspan",
    ]
    private static let silent: Set<String> = ["title", "desc", "metadata"]
    private static let words: Set<String> = ["text", "tspan"]
}
