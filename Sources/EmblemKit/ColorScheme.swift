import Theming

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
