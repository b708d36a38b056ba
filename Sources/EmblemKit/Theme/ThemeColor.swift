import Raster

/// A colour of a theme for light and for dark screens; the counterpart of a dynamic colour of
/// Apple's systems.
public struct ThemeColor: Hashable, Sendable {
    /// On light screens.
    public let light: Shade
    /// On dark screens.
    public let dark: Shade

    /// A colour of one's own, on dark screens another one if that is given.
    public init(_ light: Shade, dark: Shade? = nil) {
        self.light = light
        self.dark = dark ?? light
    }

    init(_ light: Color, dark: Color) {
        self.init(Shade(light), dark: Shade(dark))
    }

    func value(_ scheme: ColorScheme) -> Color { (scheme == .light ? light : dark).color }

    /// One colour in sRGB, eight bits a channel, not multiplied by its alpha.
    public struct Shade: Hashable, Sendable {
        /// 0 to 255.
        public let red: UInt8
        /// 0 to 255.
        public let green: UInt8
        /// 0 to 255.
        public let blue: UInt8
        /// 0 (clear) to 255 (opaque).
        public let alpha: UInt8

        /// A colour from its channels.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// A colour as it is written: `#RGB`, `#RRGGBB` or `#RRGGBBAA`; nil for anything else.
        public init?(hex: String) {
            guard let color = Color(hex: hex) else { return nil }
            self.init(color)
        }

        init(_ color: Color) {
            (red, green, blue, alpha) = (color.red, color.green, color.blue, color.alpha)
        }

        var color: Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

        /// `#RRGGBB`, with `AA` after it where the colour is not opaque.
        public var hex: String { color.hex }

        /// The contrast ratio of WCAG 2, 1 to 21; text takes 4.5.
        public func contrast(against other: Shade) -> Double {
            color.contrast(against: other.color)
        }
    }
}
