/// The shapes of an SVG document, rewritten so that they can be part of another document.
///
/// Only drawing elements from a closed list are copied. Every name gets a prefix, so that it cannot
/// collide with names in the other document. A document that needs more (scripts, style sheets,
/// embedded images, filters, entities) is rejected.
package struct PlainDrawing: Hashable, Sendable {
    /// The content of the root element.
    package let body: String
    /// The root's attributes that its shapes inherit, with the view box.
    package let attributes: [Attribute]
    /// Whether every stated paint is `currentColor`.
    package let isOfOneColor: Bool

    /// A name with its escaped value.
    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    /// The longest document that is parsed; longer documents are embedded unchanged.
    static let bytesLimit = 256 << 10

    /// Nil if the document has more than plain shapes. The document must have been loaded before,
    /// so that it is known to be valid.
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

/// Reads a document and writes the permitted content.
private struct PlainReader: ~Escapable {
    private(set) var body = ""
    private(set) var root: [PlainDrawing.Attribute] = []
    /// Whether the document states a paint other than `currentColor`.
    private(set) var statesPaint = false
    private var walker: XMLWalker
    private let prefix: String
    private var open: [String] = []
    /// The depth of the element that is omitted with all of its content.
    private var omittedDepth: Int?

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, prefix: String) {
        walker = XMLWalker(bytes)
        self.prefix = prefix
    }

    /// Returns false if the document contains anything that must not be copied.
    mutating func read() -> Bool {
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                guard begin(string(name), attributes, isEmpty) else { return false }
            case .close(let name):
                guard let last = open.popLast(), last == string(name) else { return false }
                if let depth = omittedDepth {
                    if open.count == depth { omittedDepth = nil }
                } else if !open.isEmpty {
                    body += "</\(last)>"
                }
            case .text(let range):
                guard omittedDepth == nil, let last = open.last, Self.textElements.contains(last)
                else {
                    continue
                }
                let text = string(range)
                guard Self.isSound(text) else { return false }
                body += text
            case .doctype(let range):
                if string(range).contains("[") { return false }
            case .end:
                return open.isEmpty && !root.isEmpty
            case .truncated:
                return false
            }
        }
    }

    private mutating func begin(
        _ name: String, _ attributes: [XMLWalker.Attribute], _ isEmpty: Bool
    ) -> Bool {
        defer { if !isEmpty { open.append(name) } }
        if omittedDepth != nil { return true }
        guard Self.drawingElements.contains(name) else {
            guard name.contains(":") || Self.omittedElements.contains(name) else { return false }
            if !isEmpty { omittedDepth = open.count }
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
            // `root` is never empty after this, so that a second root element is detected.
            root.append(.init(name: "overflow", value: "hidden"))
            return true
        }
        body += "<\(name)" + kept.map { " \($0.name)=\"\($0.value)\"" }.joined()
        body += isEmpty ? "/>" : ">"
        return true
    }

    /// Returns the name to write for an attribute; nil for attributes used only by editors.
    private static func ownName(_ name: String) -> String? {
        if name == "xlink:href" { return "href" }
        let isKept =
            !name.contains(":") && !name.hasPrefix("xmlns") && !name.hasPrefix("data-")
            && !name.hasPrefix("aria-") && !name.lowercased().hasPrefix("on")
            && !["class", "version", "role", "tabindex", "lang", "baseProfile"].contains(name)
        return isKept ? name : nil
    }

    /// Returns a value with its names prefixed; nil if it refers to something outside the document.
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
                note(String(pair[1]), of: pair[0].filter { !$0.isWhitespace })
            }
        default:
            note(value, of: name)
        }
        // A reference, with or without quotes, must point inside the document.
        value = value.replacing("url(&quot;#", with: "url(#").replacing("url('#", with: "url(#")
        value = value.replacing("&quot;)", with: ")").replacing("')", with: ")")
        let references = value.ranges(of: "url(").count
        guard references == value.ranges(of: "url(#").count, !value.contains("@") else {
            return nil
        }
        return value.replacing("url(#", with: "url(#" + prefix)
    }

    /// Sets `statesPaint` if the value is a colour other than `currentColor`.
    private mutating func note(_ value: String, of name: String) {
        guard ["fill", "stroke", "stop-color", "flood-color", "color"].contains(name) else {
            return
        }
        let paint = value.filter { !$0.isWhitespace }.lowercased()
        let isNeutral =
            ["currentcolor", "none", "inherit", "transparent"].contains(paint)
            || paint.hasPrefix("url(")
        if !isNeutral { statesPaint = true }
    }

    /// Returns whether a text uses only the predefined entities.
    private static func isSound(_ text: String) -> Bool {
        text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            part in
            ["amp;", "lt;", "gt;", "quot;", "apos;"].contains { part.hasPrefix($0) }
                || part.hasPrefix("#") && part.prefix(10).contains(";")
        }
    }

    private func string(_ range: Range<Int>) -> String { walker.bytes.string(range) }

    private static let drawingElements: Set<String> = [
        "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs",
        "use", "symbol", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "marker",
        "pattern", "text", "tspan",
    ]
    private static let omittedElements: Set<String> = ["title", "desc", "metadata"]
    private static let textElements: Set<String> = ["text", "tspan"]
}
