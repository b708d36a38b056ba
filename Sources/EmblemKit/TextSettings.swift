import Artwork
import Theming

/// The style of a text. Corresponds to a font and a colour on Apple platforms.
///
/// The family is always Inter, with fallback fonts for missing characters.
public struct TextSettings: Hashable, Sendable {
    /// The weight of a font.
    public enum Weight: Int, CaseIterable, Hashable, Sendable {
        /// The weight of subtitles.
        case light = 300
        /// The weight of body text.
        case regular = 400
        /// The weight between regular and semibold.
        case medium = 500
        /// The weight of titles and buttons.
        case semibold = 600
        /// The bold weight.
        case bold = 700
    }

    /// The size in points.
    public var size: Double
    /// The font weight.
    public var weight: Weight
    /// The distance between baselines in points.
    public var lineHeight: Double
    /// The colour of the text.
    public var color: ThemeColor

    /// Creates a text style. The default line height is 1.25 times the size.
    public init(
        size: Double, weight: Weight = .regular, lineHeight: Double? = nil, color: ThemeColor
    ) {
        self.size = size
        self.weight = weight
        self.lineHeight = lineHeight ?? (size * 1.25).rounded(.up)
        self.color = color
    }

    init(_ style: TextStyle, color: ThemeColor) {
        self.init(
            size: style.size, weight: Weight(rawValue: style.weight.rawValue) ?? .regular,
            lineHeight: style.lineHeight, color: color)
    }

    func value(_ textSize: TextSize) -> TextStyle {
        TextStyle(
            size: size, weight: TextWeight(rawValue: weight.rawValue) ?? .regular,
            lineHeight: lineHeight
        ).scaled(to: textSize.value)
    }
}

/// The text size that a reader prefers: the steps of Dynamic Type on Apple platforms, passed to
/// each drawing call.
public enum TextSize: String, CaseIterable, Hashable, Sendable {
    /// The smallest size.
    case xSmall
    /// A size two steps below the default.
    case small
    /// A size one step below the default.
    case medium
    /// The default size.
    case large
    /// A size one step above the default.
    case xLarge
    /// A size two steps above the default.
    case xxLarge
    /// The largest of the standard sizes.
    case xxxLarge
    /// The first of the accessibility sizes.
    case accessibility1
    /// The second of the accessibility sizes.
    case accessibility2
    /// The third of the accessibility sizes.
    case accessibility3
    /// The fourth of the accessibility sizes.
    case accessibility4
    /// The largest size, about three times the default.
    case accessibility5

    /// The case with the same name; a test checks that every case has one.
    var value: Artwork.TextSize { Artwork.TextSize(rawValue: rawValue) ?? .large }
}
