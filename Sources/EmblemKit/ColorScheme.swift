import Theming

/// Light or dark screens; the counterpart of SwiftUI's `ColorScheme`, said where something is drawn
/// instead of read from an environment.
public enum ColorScheme: String, CaseIterable, Hashable, Sendable {
    /// Dark on a light ground.
    case light
    /// Light on a dark ground.
    case dark
}

extension ColorScheme {
    var value: Theming.ColorScheme { self == .light ? .light : .dark }
}
