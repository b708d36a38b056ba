import Artwork
import Theming

/// The look of a text; what a font and a colour are on Apple's systems.
///
/// The family is always Inter, with other fonts for the characters that it lacks.
public struct TextSettings: Hashable, Sendable {
    /// How bold letters are.
    public enum Weight: Int, CaseIterable, Hashable, Sendable {
        /// As in running text.
        case regular = 400
        /// A little bolder.
        case medium = 500
        /// As in titles and on buttons.
        case semibold = 600
        /// Bold.
        case bold = 700
    }

    /// The size in points.
    public var size: Double
    /// How bold it is.
    public var weight: Weight
    /// The distance from one baseline to the next in points.
    public var lineHeight: Double
    /// The colour of its letters.
    public var color: ThemeColor

    /// A text; without a line height the distance of lines is five quarters of the size.
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

/// How large a reader wants text: the steps of Dynamic Type on Apple's systems, said where something
/// is drawn.
public enum TextSize: String, CaseIterable, Hashable, Sendable {
    /// The smallest.
    case xSmall
    /// Smaller than most have it.
    case small
    /// A little smaller than most have it.
    case medium
    /// Where everybody starts.
    case large
    /// A little larger.
    case xLarge
    /// Larger.
    case xxLarge
    /// The largest of the ordinary steps.
    case xxxLarge
    /// The first of the very large steps.
    case accessibility1
    /// The second of the very large steps.
    case accessibility2
    /// The third of the very large steps.
    case accessibility3
    /// The fourth of the very large steps.
    case accessibility4
    /// The largest of all, about three times the usual.
    case accessibility5

    /// The two enumerations have the same cases; a test holds them equal.
    var value: Artwork.TextSize { Artwork.TextSize(rawValue: rawValue) ?? .large }
}
