import Notation
import Raster

/// Reads a value that is written out: colours and dimensions in their textual and W3C forms.
enum TokenLiteral {
    /// The token that a value refers to: `{a.b}`, or `$ref` with a JSON pointer `#/a/b`.
    static func reference(_ value: JSON) -> String? {
        if let text = value.stringValue, text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 {
            return String(text.dropFirst().dropLast())
        }
        guard let pointer = value["$ref"]?.stringValue, pointer.hasPrefix("#/") else { return nil }
        var names = pointer.dropFirst(2).split(separator: "/").map(unescaped)
        if names.last == "$value" { names.removeLast() }
        return names.filter { $0 != "$root" }.joined(separator: ".")
    }

    /// The value as a token of `kind`.
    static func read(
        _ written: TokenDefinition.Written, as kind: TokenKind
    ) throws(ThemeError) -> TokenValue {
        if let type = written.type, let other = otherKind(type, than: kind) {
            throw .wrongType(written.place, expected: kind.name, found: other)
        }
        switch kind {
        case .color: return .color(try color(written.value, at: written.place))
        case .dimension: return .dimension(try dimension(written.value, at: written.place))
        }
    }

    /// A W3C type that contradicts the kind; types that we do not know contradict nothing.
    private static func otherKind(_ type: String, than kind: TokenKind) -> String? {
        switch type {
        case "color": kind == .color ? nil : TokenKind.color.name
        case "dimension": kind == .dimension ? nil : TokenKind.dimension.name
        case "number": kind == .dimension ? nil : "a number"
        default: nil
        }
    }

    private static func color(_ value: JSON, at place: TokenPlace) throws(ThemeError) -> Color {
        switch value {
        case .string(let text):
            guard let color = Color(hex: text) else { throw .badColor(place, text: text) }
            return color
        case .object:
            guard let color = colorObject(value) else { throw .badColor(place, text: value.text) }
            return color
        default:
            throw .wrongType(place, expected: TokenKind.color.name, found: value.kind)
        }
    }

    /// A 2025.10 colour in sRGB, or in another space with its `hex` fallback.
    private static func colorObject(_ value: JSON) -> Color? {
        var alpha = 1.0
        if let member = value["alpha"] {
            guard let number = member.doubleValue, (0...1).contains(number) else { return nil }
            alpha = number
        }
        var color: Color
        if value["colorSpace"]?.stringValue == "srgb", let components = value["components"] {
            guard let elements = components.elements, elements.count == 3 else { return nil }
            var channels: [UInt8] = []
            for element in elements {
                // A missing component is zero.
                let number = element.stringValue == "none" ? 0 : element.doubleValue
                guard let number, (0...1).contains(number) else { return nil }
                channels.append(byte(number))
            }
            color = Color(red: channels[0], green: channels[1], blue: channels[2])
        } else {
            guard let hex = value["hex"]?.stringValue, let fallback = Color(hex: hex) else {
                return nil
            }
            color = fallback
        }
        if value["alpha"] != nil { color.alpha = byte(alpha) }
        return color
    }

    private static func byte(_ share: Double) -> UInt8 {
        UInt8((share * 255 + 0.5).rounded(.down))
    }

    private static func dimension(
        _ value: JSON, at place: TokenPlace
    ) throws(ThemeError) -> Double {
        let number: Double?
        switch value {
        case .number(let written): number = written.double
        case .string(let text): number = dimensionText(text)
        case .object: number = dimensionObject(value)
        default: number = nil
        }
        guard let number else {
            let found = value.stringValue.map { "the text \"\($0)\"" } ?? value.kind
            throw .wrongType(place, expected: TokenKind.dimension.name, found: found)
        }
        return number
    }

    private static func dimensionObject(_ value: JSON) -> Double? {
        guard let number = value["value"]?.doubleValue, let unit = value["unit"]?.stringValue,
            let factor = units[unit]
        else { return nil }
        return number * factor
    }

    /// The older W3C form, `8px`.
    private static func dimensionText(_ text: String) -> Double? {
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
        guard let number = Double(digits), number.isFinite,
            let factor = units[String(text.dropFirst(digits.count))]
        else { return nil }
        return number * factor
    }

    /// Pixels of a design are our points.
    private static let units: [String: Double] = ["": 1, "px": 1, "pt": 1, "dp": 1, "rem": 16]

    private static func unescaped(_ part: Substring) -> String {
        var text = ""
        var isEscape = false
        for character in part {
            if isEscape {
                text.append(character == "1" ? "/" : "~")
                isEscape = false
            } else if character == "~" {
                isEscape = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}
