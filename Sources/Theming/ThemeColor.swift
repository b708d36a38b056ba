import Raster

/// The scheme of the screen: light or dark. Corresponds to SwiftUI's `ColorScheme`, but is passed
/// to each drawing call instead of being read from an environment.
public enum ColorScheme: String, CaseIterable, Hashable, Sendable {
    /// Dark content on a light background.
    case light
    /// Light content on a dark background.
    case dark
}

/// A colour with a shade for light screens and one for dark screens. Corresponds to a dynamic
/// colour on Apple platforms.
public struct ThemeColor: Hashable, Sendable {
    /// A colour in sRGB with 8 bits per channel, not premultiplied.
    public typealias Shade = Color

    /// The shade for light screens.
    public let light: Shade
    /// The shade for dark screens.
    public let dark: Shade

    /// Creates a colour. Without `dark`, light and dark screens use the same shade.
    public init(_ light: Shade, dark: Shade? = nil) {
        self.light = light
        self.dark = dark ?? light
    }

    package func shade(_ scheme: ColorScheme) -> Color { scheme == .light ? light : dark }
}

extension Theme {
    /// Returns the colour at `path`, with or without the leading `theme.`; nil for another path.
    package func themeColor(_ path: String) -> ThemeColor? {
        guard let light = color(path, .light), let dark = color(path, .dark) else { return nil }
        return ThemeColor(light, dark: dark)
    }
}
