/// The name of ``TextSettings/Font`` in UIKit.
public typealias UIFont = TextSettings.Font

/// The name of ``TextSettings`` in UIKit, for styles of texts.
public typealias UILabel = TextSettings

extension TextSettings {
    /// The size, weight and line height of a text, without its colour. Corresponds to `UIFont`. The
    /// family is always Inter.
    public struct Font: Hashable, Sendable {
        /// The size in points.
        public var size: Double
        /// The font weight.
        public var weight: Weight
        /// The distance between baselines in points.
        public var lineHeight: Double

        /// Creates a font. The default line height is 1.25 times the size.
        public init(size: Double, weight: Weight = .regular, lineHeight: Double? = nil) {
            self.size = size
            self.weight = weight
            self.lineHeight = lineHeight ?? (size * 1.25).rounded(.up)
        }

        /// Returns a font as in UIKit. The family is Inter.
        public static func systemFont(ofSize size: Double, weight: Weight = .regular) -> Font {
            Font(size: size, weight: weight)
        }

        /// The size in points, under the name that it has in UIKit.
        public var pointSize: Double { size }
    }

    /// The size, weight and line height together.
    public var font: Font {
        get { Font(size: size, weight: weight, lineHeight: lineHeight) }
        set { (size, weight, lineHeight) = (newValue.size, newValue.weight, newValue.lineHeight) }
    }

    /// The colour of the text, under the name that it has in UIKit.
    public var textColor: ThemeColor {
        get { color }
        set { color = newValue }
    }
}

extension DesignSystem {
    /// The named text styles of Apple platforms.
    public var fonts: Fonts { Fonts() }

    /// The colours of the current theme, like ``Theme/colors-swift.type.property``.
    public var colors: ThemeColors { Theme.colors }

    /// The named text styles of Apple platforms, at the sizes that they have for the text size
    /// ``TextSize/large``. A drawing scales them to its own text size.
    public struct Fonts: Sendable {
        /// The name of a text style.
        public enum TextStyle: String, CaseIterable, Hashable, Sendable {
            /// 34 points.
            case largeTitle
            /// 28 points.
            case title1
            /// 22 points.
            case title2
            /// 20 points.
            case title3
            /// 17 points, semibold.
            case headline
            /// 17 points.
            case body
            /// 16 points.
            case callout
            /// 15 points.
            case subheadline
            /// 13 points.
            case footnote
            /// 12 points.
            case caption1
            /// 11 points.
            case caption2
        }

        /// Returns the font of a text style.
        ///
        /// - Parameters:
        ///   - style: The text style.
        ///   - weight: The weight; `nil` uses that of the style, which is regular except for
        ///     ``TextStyle/headline``.
        public func preferredFont(
            _ style: TextStyle, _ weight: TextSettings.Weight? = nil
        ) -> TextSettings.Font {
            let (size, lineHeight) =
                switch style {
                case .largeTitle: (34.0, 41.0)
                case .title1: (28, 34)
                case .title2: (22, 28)
                case .title3: (20, 25)
                case .headline, .body: (17, 22)
                case .callout: (16, 21)
                case .subheadline: (15, 20)
                case .footnote: (13, 18)
                case .caption1: (12, 16)
                case .caption2: (11, 13)
                }
            return TextSettings.Font(
                size: size, weight: weight ?? (style == .headline ? .semibold : .regular),
                lineHeight: lineHeight)
        }
    }
}
