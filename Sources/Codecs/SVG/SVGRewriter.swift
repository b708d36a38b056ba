/// Rewrites a document for librsvg 2.54: drop shadows become older primitives, references to custom
/// properties become their values, and media queries for the colour scheme are resolved.
///
/// All other bytes are copied. The first pass collects the definitions in style sheets; the second
/// pass writes. Both take linear time.
struct SVGRewriter: ~Escapable {
    let text: Span<UInt8>
    let scheme: DrawingScheme
    let needs: SVGNeeds
    private let bytesLimit: Int
    var properties: CustomProperties
    /// Rules that refer to custom properties. They are resolved again for elements whose properties
    /// differ from the root's.
    private var referringRules = StyleRules<Range<Int>>()
    var output: [UInt8] = []
    /// The number of drop shadows written so far.
    var shadows = 0

    /// - Parameter bytesLimit: The longest output.
    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ needs: SVGNeeds, _ scheme: DrawingScheme, bytesLimit: Int) {
        self.text = text
        self.needs = needs
        self.scheme = scheme
        self.bytesLimit = bytesLimit
        properties = CustomProperties(work: SVGWork(bytes: text.count))
    }

    mutating func run() throws(DecodeError) -> [UInt8] {
        if needs.hasVariables { try collect() }
        output.reserveCapacity(text.count + 4096)
        try write()
        return output
    }

    /// Collects the rules that define properties or refer to them.
    private mutating func collect() throws(DecodeError) {
        var walker = XMLWalker(text)
        var sheet = false
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                sheet = !isEmpty && text.localName(name) == "style" && isShown(attributes)
            case .close: sheet = false
            case .text(let range):
                guard sheet else { continue }
                var reader = StyleSheetReader(text, range, scheme)
                while let piece = reader.next() {
                    guard case .rule(let selectors, let body) = piece else { continue }
                    try properties.add(text, selectors: selectors, body: body)
                    if StyleValue.variable(in: text, body) != nil {
                        try properties.work.spend(body.count)
                        referringRules.add(text, selectors: selectors, body: body)
                    }
                }
            case .doctype: continue
            case .end, .truncated: return
            }
        }
    }

    private mutating func write() throws(DecodeError) {
        var walker = XMLWalker(text)
        var copied = 0
        var depth = 0
        var sheet = (isOpen: false, isShown: true)
        /// The depth of a drop shadow whose content is omitted.
        var omittedDepth: Int?
        loop: while true {
            let step = walker.next()
            switch step {
            case .end, .truncated: break loop
            default: break
            }
            if omittedDepth == nil {
                output.append(text, copied..<walker.start)
                copied = walker.start
            }
            switch step {
            case .open(let name, let attributes, let isEmpty):
                if omittedDepth == nil {
                    let local = text.localName(name)
                    try enter(name, attributes, isRoot: depth == 0)
                    sheet = (!isEmpty && local == "style", isShown(attributes))
                    if local == "feDropShadow" {
                        try writeShadow(name, attributes)
                        if !isEmpty { omittedDepth = depth }
                    } else {
                        try writeTag(name, attributes, walker.start..<walker.offset)
                    }
                    copied = walker.offset
                    if isEmpty { properties.leave() }
                }
                if !isEmpty { depth += 1 }
            case .close:
                sheet.isOpen = false
                depth -= 1
                if omittedDepth == nil {
                    properties.leave()
                } else if omittedDepth == depth {
                    omittedDepth = nil
                    copied = walker.offset
                    properties.leave()
                }
            case .text(let range):
                guard sheet.isOpen, omittedDepth == nil else { continue }
                output.append(text, copied..<range.lowerBound)
                if sheet.isShown { try writeSheet(range) }
                copied = range.upperBound
            case .doctype, .end, .truncated: continue
            }
            guard output.count <= bytesLimit else {
                throw .limitDecode("an SVG that grows to more than \(bytesLimit) bytes")
            }
        }
        if omittedDepth == nil { output.append(text, copied..<text.count) }
    }
}

// MARK: - Elements

extension SVGRewriter {
    private mutating func enter(
        _ name: Range<Int>, _ attributes: [XMLWalker.Attribute], isRoot: Bool
    ) throws(DecodeError) {
        guard needs.hasVariables else { return }
        let style = attributes.first { text.hasName("style", $0.name) }?.value
        guard properties.hasRules || !referringRules.isEmpty else {
            // Without rules, only the element's own style defines properties.
            let none = StyledElement(type: "", id: nil, classes: [], isRoot: isRoot)
            try properties.enter(none, text, style: style)
            return
        }
        try properties.enter(element(name, attributes, isRoot: isRoot), text, style: style)
    }

    private func element(
        _ name: Range<Int>, _ attributes: [XMLWalker.Attribute], isRoot: Bool
    ) -> StyledElement {
        var element = StyledElement(
            type: text.localName(name), id: nil, classes: [], isRoot: isRoot)
        for attribute in attributes where attribute.value.count <= 4096 {
            if text.hasName("id", attribute.name) {
                element.id = text.string(attribute.value)
            } else if text.hasName("class", attribute.name) {
                element.classes = text.string(attribute.value).split { $0.isWhitespace }
                    .map(String.init)
            }
        }
        return element
    }

    /// Copies a tag with the references to custom properties replaced by their values.
    private mutating func writeTag(
        _ name: Range<Int>, _ attributes: [XMLWalker.Attribute], _ tag: Range<Int>
    ) throws(DecodeError) {
        var copied = tag.lowerBound
        defer { output.append(text, copied..<tag.upperBound) }
        guard needs.hasVariables else { return }
        var added = try stated(for: name, attributes)
        for attribute in attributes {
            let isStyle = text.hasName("style", attribute.name)
            let refers = StyleValue.variable(in: text, attribute.value) != nil
            guard refers || isStyle && !added.isEmpty else { continue }
            output.append(text, copied..<attribute.name.lowerBound)
            copied = attribute.value.upperBound + 1
            var value = isStyle ? added : []
            if isStyle {
                added = []
                try append(declarations: attribute.value, to: &value, quoting: true)
            } else if try !properties.append(
                text, attribute.value, to: &value, quoting: true)
            {
                // Omits an attribute with an unresolved reference.
                continue
            }
            output.append(text, attribute.name)
            output.append("=\"")
            // The original value may have had single quotes.
            appendQuoted(value)
        }
        guard !added.isEmpty else { return }
        // The tag has no `style`; adds one before the end of the tag.
        let end = text[tag.upperBound - 2] == UInt8(ascii: "/") ? 2 : 1
        output.append(text, copied..<(tag.upperBound - end))
        copied = tag.upperBound - end
        output.append(" style=\"")
        appendQuoted(added)
    }

    private mutating func appendQuoted(_ value: [UInt8]) {
        for byte in value {
            if byte == UInt8(ascii: "\"") {
                output.append("&quot;")
            } else {
                output.append(byte)
            }
        }
        output.append("\"")
    }

    /// Returns the resolved declarations of the rules that match an element, if an element below
    /// the root defines properties for it. `writeTag` adds them to the `style` attribute.
    private mutating func stated(
        for name: Range<Int>, _ attributes: [XMLWalker.Attribute]
    ) throws(DecodeError) -> [UInt8] {
        guard properties.hasLocalDefinitions, !referringRules.isEmpty else { return [] }
        let bodies = try referringRules.bodies(
            for: element(name, attributes, isRoot: false), &properties.work)
        try properties.work.spend(bodies.reduce(0) { $0 + $1.count })
        var result: [UInt8] = []
        for body in bodies {
            var reader = StyleDeclarations(text, body)
            while let declaration = reader.next() {
                guard StyleValue.variable(in: text, declaration.value) != nil,
                    !text.hasWord("--", at: declaration.name.lowerBound),
                    StyleValue.unescaped(text, declaration.whole) != nil
                else { continue }
                try append(declarations: declaration.whole, to: &result, quoting: true)
                result.append(UInt8(ascii: ";"))
            }
        }
        return result
    }

    /// Appends declarations with references to properties replaced by values. Omits a declaration
    /// if a reference in it has no value.
    mutating func append(
        declarations range: Range<Int>, to result: inout [UInt8], quoting: Bool
    ) throws(DecodeError) {
        var copied = range.lowerBound
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            guard !text.hasWord("--", at: declaration.name.lowerBound),
                StyleValue.variable(in: text, declaration.value) != nil
            else { continue }
            result.append(text, copied..<declaration.whole.lowerBound)
            copied = declaration.whole.upperBound
            let length = result.count
            result.append(text, declaration.whole.lowerBound..<declaration.value.lowerBound)
            if try properties.append(text, declaration.value, to: &result, quoting: quoting) {
                result.append(
                    text, declaration.value.upperBound..<declaration.whole.upperBound)
            } else {
                result.removeLast(result.count - length)
            }
        }
        result.append(text, copied..<range.upperBound)
    }
}

extension SVGRewriter {
    /// Returns false for a style sheet whose `media` requires the other colour scheme.
    func isShown(_ attributes: [XMLWalker.Attribute]) -> Bool {
        for attribute in attributes where text.hasName("media", attribute.name) {
            let condition = SchemeCondition(text, attribute.value)
            return !condition.testsScheme || condition.holds(in: scheme)
        }
        return true
    }

    mutating func writeSheet(_ range: Range<Int>) throws(DecodeError) {
        var reader = StyleSheetReader(text, range, scheme)
        while let piece = reader.next() {
            switch piece {
            case .raw(let range): output.append(text, range)
            case .rule(let selectors, let body):
                try writeSelectors(selectors)
                output.append(UInt8(ascii: "{"))
                try writeBody(body, of: selectors)
                output.append(UInt8(ascii: "}"))
            }
        }
    }

    private mutating func writeBody(
        _ body: Range<Int>, of selectors: Range<Int>
    ) throws(DecodeError) {
        guard needs.hasVariables, StyleValue.variable(in: text, body) != nil else {
            output.append(text, body)
            return
        }
        // Resolves the rule with the definitions that apply to an element matched by its selector.
        let example = StyleSelector.list(text, selectors).first?.example
        if let example { try properties.enter(example, text, style: body) }
        var result: [UInt8] = []
        try append(declarations: body, to: &result, quoting: false)
        output += result
        if example != nil { properties.leave() }
    }

    /// Copies selectors; replaces `feDropShadow` with a class.
    private mutating func writeSelectors(_ range: Range<Int>) throws(DecodeError) {
        guard needs.hasDropShadow, text.contains("feDropShadow", in: range) else {
            output.append(text, range)
            return
        }
        var index = range.lowerBound
        while index < range.upperBound {
            if text.hasWord("feDropShadow", at: index) {
                output.append("feFlood.emblem-drop-shadow")
                index += 12
            } else {
                output.append(text[index])
                index += 1
            }
        }
    }
}

extension SVGRewriter {
    /// Writes a drop shadow as a blur, an offset, and a flood composited below the input.
    mutating func writeShadow(
        _ name: Range<Int>, _ attributes: [XMLWalker.Attribute]
    ) throws(DecodeError) {
        var shadow = DropShadow(number: shadows)
        shadows += 1
        let end = name.upperBound - "feDropShadow".utf8.count
        shadow.prefix = text.array(name.lowerBound..<end)
        for attribute in attributes {
            var value: [UInt8] = []
            if text.hasName("style", attribute.name) {
                try append(declarations: attribute.value, to: &value, quoting: true)
            } else if try !properties.append(
                text, attribute.value, to: &value, quoting: true)
            {
                continue
            }
            shadow.set(text.string(attribute.name.prefix(64)), value)
        }
        shadow.write(to: &output)
    }
}

/// An `feDropShadow`, defined through older primitives as in Filter Effects 1: the blurred and
/// offset alpha of the input, filled with a colour, below the input.
struct DropShadow {
    /// The namespace prefix with its colon.
    var prefix: [UInt8] = []
    private let number: Int
    private var values: [String: [UInt8]] = [:]

    init(number: Int) { self.number = number }

    /// Sets an attribute. The value must be escaped for XML, except for double quotes.
    mutating func set(_ name: String, _ value: [UInt8]) {
        values[name] = value.map { $0 == UInt8(ascii: "\"") ? UInt8(ascii: "'") : $0 }
    }

    func write(to output: inout [UInt8]) {
        var pen = Pen(prefix: prefix, number: number, output: output)
        output = []
        let space = values["color-interpolation-filters"]
        func begin(_ name: String) {
            pen.begin(name)
            if let space { pen.attribute("color-interpolation-filters", space) }
        }
        // A named copy of the input, because it is used twice.
        begin("feOffset")
        pen.attribute("in", values["in"])
        pen.end(result: "input")
        begin("feGaussianBlur")
        pen.attribute("stdDeviation", values["stdDeviation"] ?? [UInt8(ascii: "2")])
        pen.end(result: "blur")
        begin("feOffset")
        pen.attribute("dx", values["dx"] ?? [UInt8(ascii: "2")])
        pen.attribute("dy", values["dy"] ?? [UInt8(ascii: "2")])
        pen.end(result: "shadow")
        begin("feFlood")
        for name in ["id", "style", "flood-color", "flood-opacity"] {
            pen.attribute(name, values[name])
        }
        var classes = values["class"] ?? []
        if !classes.isEmpty { classes.append(0x20) }
        classes.append("emblem-drop-shadow")
        pen.attribute("class", classes)
        pen.end(result: "color")
        begin("feComposite")
        pen.attribute("operator", Array("in".utf8))
        pen.reference("in2", to: "shadow")
        pen.end(result: "colored")
        begin("feMerge")
        for name in ["x", "y", "width", "height", "result"] { pen.attribute(name, values[name]) }
        pen.close()
        for layer in ["colored", "input"] {
            pen.begin("feMergeNode")
            pen.reference("in", to: layer)
            pen.end()
        }
        pen.leave("feMerge")
        output = pen.output
    }

    /// Writes tags with the namespace prefix of the document.
    private struct Pen {
        let prefix: [UInt8]
        let number: Int
        var output: [UInt8]

        /// Begins a start tag, to which attributes are added.
        mutating func begin(_ name: String) {
            output.append(UInt8(ascii: "<"))
            output += prefix
            output += name.utf8
        }

        mutating func attribute(_ name: String, _ value: [UInt8]?) {
            guard let value else { return }
            output += " \(name)=\"".utf8
            output += value
            output.append(UInt8(ascii: "\""))
        }

        mutating func reference(_ name: String, to part: String) {
            attribute(name, Array("emblem-\(number)-\(part)".utf8))
        }

        /// Ends a tag without content.
        mutating func end(result: String? = nil) {
            if let result { reference("result", to: result) }
            output.append("/>")
        }

        /// Ends a start tag whose content follows.
        mutating func close() { output.append(UInt8(ascii: ">")) }

        /// Writes an end tag.
        mutating func leave(_ name: String) {
            output.append("</")
            output += prefix
            output += name.utf8
            close()
        }
    }
}
