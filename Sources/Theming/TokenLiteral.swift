import Notation
import Raster

/// Parses literal values: colours and dimensions in their textual and W3C forms.
enum TokenLiteral {
    static func read(
        _ written: TokenDefinition.Written, as kind: TokenKind
    ) throws(ThemeError) -> TokenValue {
        if let type = written.type { try check(type, against: kind, at: written.location) }
        switch kind {
        case .color: return .color(try color(written.value, at: written.location))
        case .dimension: return .dimension(try dimension(written.value, at: written.location))
        }
    }

    /// Rejects a W3C type that contradicts the kind; unknown types are ignored.
    static func check(
        _ type: String, against kind: TokenKind, at location: TokenLocation
    ) throws(ThemeError) {
        let found: String?
        switch type {
        case "color": found = kind == .color ? nil : TokenKind.color.name
        case "dimension": found = kind == .dimension ? nil : TokenKind.dimension.name
        case "number": found = kind == .dimension ? nil : "a number"
        case "fontFamily", "fontWeight", "duration", "cubicBezier", "strokeStyle", "border",
            "transition", "shadow", "gradient", "typography":
            found = "the type \(type)"
        default: found = nil
        }
        if let found { throw .wrongType(location, expected: kind.name, found: found) }
    }

    /// Returns a replacement for a form that later W3C formats removed.
    static func advice(_ written: TokenDefinition.Written, _ value: TokenValue) -> String? {
        switch (value, written.value) {
        case (.color(let color), .string) where written.isW3C:
            "since format 2025.10 this $value is an object; write "
                + "\(ColorObject.text(of: color))"
        case (.dimension(let points), .string(let text)) where written.isW3C:
            "since format 2025.10 this $value is an object; write \(object(points, text))"
        case (.dimension, .number(let number)) where written.isW3C && written.type == "dimension":
            "since format 2025.10 a dimension has a unit; write {\"value\": \(number.text), "
                + "\"unit\": \"px\"}"
        case (.dimension, .string): "a plain dimension needs no unit; write \(value)"
        default: nil
        }
    }

    private static func object(_ points: Double, _ text: String) -> String {
        let isRoot = text.hasSuffix("rem")
        let number = TokenValue.dimension(isRoot ? points / 16 : points)
        return "{\"value\": \(number), \"unit\": \"\(isRoot ? "rem" : "px")\"}"
    }

    private static func color(_ value: JSON, at location: TokenLocation) throws(ThemeError) -> Color
    {
        switch value {
        case .string(let text):
            guard let color = Color(hex: text) else { throw .badColor(location, text: text) }
            return color
        case .object:
            guard let color = ColorObject.color(value) else {
                throw ColorObject.hasOtherSpace(value)
                    ? .unknownColorSpace(location, text: value.text)
                    : .badColor(location, text: value.text)
            }
            return color
        default:
            throw .wrongType(location, expected: TokenKind.color.name, found: value.kind)
        }
    }

    private static func dimension(
        _ value: JSON, at location: TokenLocation
    ) throws(ThemeError) -> Double {
        let number: Double?
        switch value {
        case .number(let written): number = written.double
        case .string(let text): number = dimensionText(text)
        case .object: number = dimensionObject(value)
        default: number = nil
        }
        guard let number, number.isFinite else {
            if let unit = value["unit"]?.stringValue, units[unit] == nil {
                throw .wrongType(
                    location, expected: "a dimension in px or rem", found: "the unit \"\(unit)\"")
            }
            let found = value.stringValue.map { "the text \"\($0)\"" } ?? value.kind
            throw .wrongType(location, expected: TokenKind.dimension.name, found: found)
        }
        return number
    }

    private static func dimensionObject(_ value: JSON) -> Double? {
        guard let number = value["value"]?.doubleValue, let unit = value["unit"]?.stringValue,
            let factor = units[unit]
        else { return nil }
        return number * factor
    }

    private static func dimensionText(_ text: String) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
        guard let number = Double(digits), number.isFinite,
            let factor = units[String(text.dropFirst(digits.count))]
        else { return nil }
        return number * factor
    }

    /// The units and their points; a pixel in a design is one point.
    private static let units: [String: Double] = ["": 1, "px": 1, "pt": 1, "dp": 1, "rem": 16]
}
