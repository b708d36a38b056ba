/// The name of ``ThemeColor`` in UIKit.
public typealias UIColor = ThemeColor

/// The name of ``EdgeInsets`` in UIKit.
public typealias UIEdgeInsets = EdgeInsets

extension ThemeColor {
    /// Opaque white.
    public static let white = ThemeColor(Shade(red: 255, green: 255, blue: 255))
    /// Opaque black.
    public static let black = ThemeColor(Shade(red: 0, green: 0, blue: 0))
    /// A transparent colour.
    public static let clear = ThemeColor(Shade(red: 0, green: 0, blue: 0, alpha: 0))

    /// Creates a colour for light and dark screens from channels between 0 and 1 in sRGB, as in
    /// UIKit. Values outside are limited to this range.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func byte(_ channel: Double) -> UInt8 {
            channel.isNaN ? 0 : UInt8((min(max(channel, 0), 1) * 255).rounded())
        }
        self.init(
            Shade(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha)))
    }

    /// Creates a colour for light and dark screens from `#RGB`, `#RRGGBB` or `#RRGGBBAA`. Other texts
    /// give `nil`.
    public init?(hex: String) {
        guard let shade = Shade(hex: hex) else { return nil }
        self.init(shade)
    }

    /// Creates a dynamic colour from the light shade of one colour and the dark shade of another.
    public init(light: ThemeColor, dark: ThemeColor) {
        self.init(light.light, dark: dark.dark)
    }
}

extension DesignSystem.CornerRadius {
    /// The radius ``sm``, under another name.
    public var small: Double { sm }
    /// The radius ``md``, under another name.
    public var medium: Double { md }
    /// The radius ``lg``, under another name.
    public var large: Double { lg }
    /// The radius ``xl``, under another name.
    public var xLarge: Double { xl }
}

extension EdgeInsets {
    /// No space at any side.
    public static let zero = EdgeInsets(0)

    /// Creates insets as in UIKit. In a block of text that runs from right to left, left and right
    /// change places, like ``leading`` and ``trailing``.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        self.init(top: top, leading: left, bottom: bottom, trailing: right)
    }
}

/// Settings with a padding that has a value for each side.
public protocol PaddedSettings {
    /// The space between the edges and the content.
    var insets: EdgeInsets { get set }
}

extension PaddedSettings {
    /// The space between the edges and the content, for a value with four sides:
    /// `padding = .init(top: 8, left: 16, bottom: 8, right: 16)`.
    public var padding: EdgeInsets {
        get { insets }
        set { insets = newValue }
    }
}

extension StateView.Settings: PaddedSettings {
    /// The background colour of the block, under the name that it has in UIKit.
    public var backgroundColor: ThemeColor {
        get { background }
        set { background = newValue }
    }

    /// These settings, so that `layer.cornerRadius` is their corner radius.
    public var layer: Self {
        get { self }
        set { self = newValue }
    }

    /// A style of the title. Setting it changes ``title`` at once; `nil` changes nothing. Its value
    /// gives a text the present style of the title, so that it can be combined with others.
    public var titleLabelStyle: Style<TextSettings>? {
        get { Self.style(title) }
        set { newValue?(&title) }
    }

    /// A style of the subtitle, like ``titleLabelStyle``.
    public var subtitleLabelStyle: Style<TextSettings>? {
        get { Self.style(subtitle) }
        set { newValue?(&subtitle) }
    }

    /// A style of the first button, like ``titleLabelStyle``.
    public var firstButtonStyle: Style<StateView.ButtonSettings>? {
        get { Self.style(firstButton) }
        set { newValue?(&firstButton) }
    }

    /// A style of the second button, like ``titleLabelStyle``.
    public var secondButtonStyle: Style<StateView.ButtonSettings>? {
        get { Self.style(secondButton) }
        set { newValue?(&secondButton) }
    }

    /// A style of the third button, like ``titleLabelStyle``.
    public var thirdButtonStyle: Style<StateView.ButtonSettings>? {
        get { Self.style(thirdButton) }
        set { newValue?(&thirdButton) }
    }

    private static func style<Settings: Sendable>(
        _ settings: Settings
    ) -> @Sendable (inout Settings) -> Void {
        { $0 = settings }
    }
}

extension StateView.ButtonSettings {
    /// The background colour, under the name that it has in UIKit.
    public var backgroundColor: ThemeColor {
        get { background }
        set { background = newValue }
    }

    /// The background colour, under its name in catalogues that have a colour per state. A drawing
    /// shows the normal state only.
    public var normalBackgroundColor: ThemeColor {
        get { background }
        set { background = newValue }
    }

    /// These settings, so that `layer.cornerRadius` is their corner radius.
    public var layer: Self {
        get { self }
        set { self = newValue }
    }

    /// The style of the title, an optional as in UIKit. It is never `nil`, and setting `nil` changes
    /// nothing.
    public var titleLabel: UILabel? {
        get { text }
        set { text = newValue ?? text }
    }
}
