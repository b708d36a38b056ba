import Notation
import Raster

/// A colour object of format 2025.10: a colour space, components, alpha and a fallback.
enum ColorObject {
    /// Returns the colour in sRGB. A colour outside sRGB is replaced by its `hex`, or else each
    /// component is clamped. A colour of an unsupported space is replaced by its `hex`.
    static func color(_ value: JSON) -> Color? {
        var alpha: UInt8?
        if let member = value["alpha"] {
            guard let number = channel(member), (0...1).contains(number) else { return nil }
            alpha = byte(number)
        }
        var fallback: Color?
        if let text = value["hex"]?.stringValue { fallback = Color(hex: text) }
        guard var color = inSRGB(value, fallback) else { return nil }
        if let alpha { color.alpha = alpha }
        return color
    }

    /// Returns whether the colour's space is unsupported and it has no `hex` fallback.
    static func hasOtherSpace(_ value: JSON) -> Bool {
        guard let name = value["colorSpace"]?.stringValue else { return false }
        return ColorSpace(rawValue: name) == nil && value["hex"] == nil
    }

    private static func inSRGB(_ value: JSON, _ fallback: Color?) -> Color? {
        guard let space = value["colorSpace"]?.stringValue.flatMap(ColorSpace.init) else {
            return fallback
        }
        guard let elements = value["components"]?.elements, elements.count == 3 else { return nil }
        var components = SIMD3<Double>()
        for (index, element) in elements.enumerated() {
            guard let number = channel(element), number.magnitude <= 1_000 else { return nil }
            components[index] = number
        }
        guard space.allows(components) else { return nil }
        let found = space.encoded(components)
        let isShown = (0..<3).allSatisfy { (-0.002...1.002).contains(found[$0]) }
        if !isShown, let fallback { return fallback }
        return Color(red: byte(found[0]), green: byte(found[1]), blue: byte(found[2]))
    }

    /// Reads a component; `none` is zero.
    private static func channel(_ value: JSON) -> Double? {
        value.stringValue == "none" ? 0 : value.doubleValue
    }

    private static func byte(_ share: Double) -> UInt8 {
        UInt8((min(1, max(0, share)) * 255 + 0.5).rounded(.down))
    }

    static func text(of color: Color) -> String {
        let components = [color.red, color.green, color.blue].map(share)
        var text = "{\"colorSpace\": \"srgb\", "
        text += "\"components\": [\(components.joined(separator: ", "))]"
        if color.alpha < 255 { text += ", \"alpha\": \(share(color.alpha))" }
        let opaque = Color(red: color.red, green: color.green, blue: color.blue)
        return text + ", \"hex\": \"\(opaque.hex.lowercased())\"}"
    }

    /// Formats a byte as a share of 255, with enough digits that it is read as the same byte.
    private static func share(_ value: UInt8) -> String {
        JSONNumber((Double(value) / 255 * 1_000).rounded() / 1_000).text
    }
}
