import Notation
import Raster

/// A resolver that follows references to literal values.
struct TokenResolver {
    /// The maximum length of a chain of references.
    static let chainLimit = 64

    private let definitions: [String: TokenDefinition]
    private let scheme: ColorScheme
    /// Every token that was read, directly or through a reference.
    private(set) var used: Set<String> = []

    init(_ definitions: [String: TokenDefinition], scheme: ColorScheme) {
        self.definitions = definitions
        self.scheme = scheme
    }

    /// Returns the value of the token at `path`, which must be defined, as a value of `kind`.
    mutating func value(
        of path: String, as kind: TokenKind
    ) throws(ThemeError) -> TokenValue {
        var chain = [path]
        var referrer: TokenLocation?
        while let written = definitions[chain[chain.count - 1]]?.written(in: scheme) {
            used.insert(chain[chain.count - 1])
            guard let target = written.reference else {
                let value = try literal(written, as: kind, referrer: referrer)
                try check(value, of: path, at: referrer ?? written.location)
                return value
            }
            let location = written.location
            if written.isTypeOwn, let type = written.type {
                try TokenLiteral.check(type, against: kind, at: location)
            }
            guard definitions[target] != nil else {
                throw .unknownReference(location, reference: target)
            }
            let isCycle = chain.contains(target)
            chain.append(target)
            if isCycle || chain.count > Self.chainLimit { throw .cycle(location, chain: chain) }
            referrer = location
        }
        preconditionFailure("A token that is resolved is defined.")
    }

    /// Rejects emblems without height. The upper limits also bound the sizes that are computed from
    /// a dimension.
    private func check(
        _ value: TokenValue, of path: String, at location: TokenLocation
    ) throws(ThemeError) {
        guard case .dimension(let number) = value else { return }
        let isHeight = path.hasPrefix("theme.dimension.height.")
        let allowed = isHeight ? 1.0...2048.0 : 0.0...10_000.0
        guard !allowed.contains(number) else { return }
        throw .outOfRange(
            location, value: value.description,
            allowed: "\(Int(allowed.lowerBound)) to \(Int(allowed.upperBound))")
    }

    /// Parses a literal. If the literal is valid but of the other kind, the error is reported at
    /// the token that refers to it.
    private func literal(
        _ written: TokenDefinition.Written, as kind: TokenKind, referrer: TokenLocation?
    ) throws(ThemeError) -> TokenValue {
        do throws(ThemeError) {
            return try TokenLiteral.read(written, as: kind)
        } catch {
            let other: TokenKind = kind == .color ? .dimension : .color
            guard let referrer, (try? TokenLiteral.read(written, as: other)) != nil else {
                throw error
            }
            throw .wrongType(
                referrer, expected: kind.name,
                found: "a reference to {\(written.location.path)}, which is \(other.name)")
        }
    }
}

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
