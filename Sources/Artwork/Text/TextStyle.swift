import Theming

/// The weight of a font.
public enum TextWeight: Int, CaseIterable, Hashable, Sendable {
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

/// The style of a text. Corresponds to a font and a colour on Apple platforms.
///
/// The family is always Inter, with fallback fonts for missing characters.
public struct TextSettings: Hashable, Sendable {
    /// The weight of a font.
    public typealias Weight = TextWeight

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

    /// The style without the colour, in the range that can be drawn.
    var textStyle: TextStyle { TextStyle(size: size, weight: weight, lineHeight: lineHeight) }

    /// Returns the style for the reader's text size. Titles grow less than body text, because they
    /// are large already and their words have to fit into a line.
    func scaled(to textSize: TextSize) -> TextSettings {
        let style = textStyle
        let factor = textSize.factor(of: style.size)
        return TextSettings(
            size: (style.size * factor).rounded(), weight: weight,
            lineHeight: (style.lineHeight * factor).rounded(), color: color)
    }
}

/// The look of a text, in points.
package struct TextStyle: Hashable, Sendable {
    /// The sizes at which text can be drawn and read.
    package static let sizes = 1.0...512.0

    package var size: Double
    package var weight: TextWeight
    /// The distance between baselines, and the height of a single line, in whole points.
    package var lineHeight: Double

    /// The default line height is 1.25 times the size.
    package init(size: Double, weight: TextWeight = .regular, lineHeight: Double? = nil) {
        // NaN fails every comparison and gives the lower bound.
        func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
        }
        self.size = bounded(size, Self.sizes)
        self.weight = weight
        self.lineHeight = bounded(lineHeight ?? self.size * 1.25, 1...1024).rounded(.up)
    }

    /// The height of Inter's capitals as a share of the text size.
    static let capitalShare = 1490.0 / 2048

    package var capHeight: Double { size * Self.capitalShare }

    /// The position of the baseline within a line: capitals are centred, in whole points, so that
    /// they are sharp at every scale. CSS layout gives the same position, because Inter's ascent
    /// and descent are symmetric around its capitals.
    package var baseline: Double { ((lineHeight + capHeight) / 2).rounded() }
}

/// The text size that a reader prefers: the steps of Dynamic Type on Apple platforms, passed to
/// each drawing call.
public enum TextSize: String, CaseIterable, Hashable, Sendable {
    /// A standard size; `large` is the default.
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    /// A size for readers who need larger text, up to about three times the default.
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    /// The size of body text in points.
    private var body: Double {
        switch self {
        case .xSmall: 14
        case .small: 15
        case .medium: 16
        case .large: 17
        case .xLarge: 19
        case .xxLarge: 21
        case .xxxLarge: 23
        case .accessibility1: 28
        case .accessibility2: 33
        case .accessibility3: 40
        case .accessibility4: 47
        case .accessibility5: 53
        }
    }

    /// The factor of body text and of smaller text; 1 for `large`, the default.
    var factor: Double { body / Self.usualBody }

    /// The size of body text for `large`, in points.
    private static let usualBody = 17.0

    /// Returns the factor of text that has this size for `large`.
    func factor(of size: Double) -> Double {
        guard size > Self.usualBody else { return factor }
        return 1 + (body - Self.usualBody) * Self.usualBody / (size * size)
    }
}
