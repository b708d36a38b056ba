import Raster
import Theming

/// A colour with a shade for light screens and one for dark screens. Corresponds to a dynamic
/// colour on Apple platforms.
public struct ThemeColor: Hashable, Sendable {
    /// The shade for light screens.
    public let light: Shade
    /// The shade for dark screens.
    public let dark: Shade

    /// Creates a colour. Without `dark`, light and dark screens use the same shade.
    public init(_ light: Shade, dark: Shade? = nil) {
        self.light = light
        self.dark = dark ?? light
    }

    init(_ light: Color, dark: Color) {
        self.init(Shade(light), dark: Shade(dark))
    }

    func value(_ scheme: ColorScheme) -> Color { (scheme == .light ? light : dark).color }

    /// A colour in sRGB with 8 bits per channel, not premultiplied.
    public struct Shade: Hashable, Sendable {
        /// The red channel, from 0 to 255.
        public let red: UInt8
        /// The green channel, from 0 to 255.
        public let green: UInt8
        /// The blue channel, from 0 to 255.
        public let blue: UInt8
        /// The opacity, from 0 (transparent) to 255 (opaque).
        public let alpha: UInt8

        /// Creates a colour from its channels.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// Creates a colour from `#RGB`, `#RRGGBB` or `#RRGGBBAA`. Other texts give `nil`.
        public init?(hex: String) {
            guard let color = Color(hex: hex) else { return nil }
            self.init(color)
        }

        init(_ color: Color) {
            (red, green, blue, alpha) = (color.red, color.green, color.blue, color.alpha)
        }

        var color: Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

        /// The colour as `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
        public var hex: String { color.hex }

        /// Returns the WCAG 2 contrast ratio, from 1 to 21. Text needs at least 4.5.
        public func contrast(against other: Shade) -> Double {
            color.contrast(against: other.color)
        }
    }
}

/// The scheme of the screen: light or dark. Corresponds to SwiftUI's `ColorScheme`, but is passed
/// to each drawing call instead of being read from an environment.
public enum ColorScheme: String, CaseIterable, Hashable, Sendable {
    /// Dark content on a light background.
    case light
    /// Light content on a dark background.
    case dark
}

extension ColorScheme {
    var value: Theming.ColorScheme { self == .light ? .light : .dark }
}
