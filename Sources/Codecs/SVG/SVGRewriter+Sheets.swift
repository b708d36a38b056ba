extension SVGRewriter {
    /// False for a style sheet whose `media` asks for the other colour scheme.
    func isShown(_ attributes: [XMLWalker.Attribute]) -> Bool {
        for attribute in attributes where text.hasName("media", attribute.name) {
            let condition = SchemeCondition(text, attribute.value)
            return !condition.asksForScheme || condition.holds(in: scheme)
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
        guard needs.variables, StyleValue.variable(in: text, body) != nil else {
            output.append(text, body)
            return
        }
        // Whoever the rule is for has what other rules define for such an element.
        let example = StyleSelector.list(text, selectors).first?.example
        if let example { try properties.enter(example, text, style: body) }
        var result: [UInt8] = []
        try append(declarations: body, to: &result, quoting: false)
        output += result
        if example != nil { properties.leave() }
    }

    /// Copies selectors; a drop shadow is known by a class from here on.
    private mutating func writeSelectors(_ range: Range<Int>) throws(DecodeError) {
        guard needs.dropShadow, text.contains("feDropShadow", in: range) else {
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
    /// Writes a drop shadow as a blur, an offset, and a colour cut out by them below the input.
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
