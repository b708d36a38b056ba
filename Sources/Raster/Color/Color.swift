/// A straight (not premultiplied) sRGB colour, eight bits a channel.
package struct Color: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    package static let black = Color(red: 0, green: 0, blue: 0)
    package static let white = Color(red: 255, green: 255, blue: 255)
}

extension Color {
    /// The relative luminance of WCAG 2, 0 (black) to 1 (white); alpha is ignored.
    package var relativeLuminance: Double {
        0.2126 * SRGBCurve.linear(red) + 0.7152 * SRGBCurve.linear(green)
            + 0.0722 * SRGBCurve.linear(blue)
    }

    /// The contrast ratio of WCAG 2, 1 to 21, whichever of the two is the lighter one.
    package func contrast(against other: Color) -> Double {
        let (first, second) = (relativeLuminance, other.relativeLuminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}
