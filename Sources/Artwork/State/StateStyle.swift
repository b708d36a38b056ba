import Raster
import Theming

/// The space at each side of a component, in points. Corresponds to SwiftUI's `EdgeInsets`.
///
/// ```swift
/// let roomyAbove: Style<StateView.Settings> = {
///     $0.insets = EdgeInsets(top: 64, leading: 24, bottom: 24, trailing: 24)
/// }
/// ```
public struct EdgeInsets: Hashable, Sendable {
    /// The space above.
    public var top: Double
    /// The space at the start of lines: left, or right for scripts that run from right to left.
    public var leading: Double
    /// The space below.
    public var bottom: Double
    /// The space at the end of lines.
    public var trailing: Double

    /// Creates insets with a value for each side.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// Creates insets with the same value for all sides.
    public init(_ points: Double) {
        self.init(top: points, leading: points, bottom: points, trailing: points)
    }

    var sides: Double { leading + trailing }

    /// Returns the distance from the middle of the block to the middle of its content, to the
    /// right.
    func shift(_ direction: TextDirection) -> Double {
        (direction == .rightToLeft ? trailing - leading : leading - trailing) / 2
    }
}

/// The sizes in points, the colours and the text styles of a state view.
public struct StateStyle: Hashable, Sendable {
    /// A width and a height in points. Corresponds to `CGSize`.
    public struct Size: Hashable, Sendable {
        /// The width.
        public var width: Double
        /// The height.
        public var height: Double

        /// Creates a rectangle.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }

        /// Creates a square.
        public init(_ side: Double) {
            self.init(width: side, height: side)
        }
    }

    /// The look of a button. Corresponds to a button style.
    public struct Button: Hashable, Sendable {
        /// The style of the title.
        public var text: TextSettings
        /// The background colour.
        public var background: ThemeColor
        /// The minimum height in points. Longer titles use several lines.
        public var height: Double
        /// The corner radius in points.
        public var cornerRadius: Double
        /// The minimum space between the title and the ends of the button, in points.
        public var padding: Double
    }

    /// The size of the graphic.
    public var iconOrAnimationSize: Size
    /// The colours of a built-in icon and its background plate.
    public var appearance = EmblemAppearance.brand
    /// The background colour of the block.
    public var background: ThemeColor
    /// The corner radius of the block in points.
    public var cornerRadius = 0.0
    /// Whether content beyond the rounded corners is cut off, such as a button of full width.
    public var clipsToBounds = false
    /// The width of the block; a wider graphic extends it.
    public var width: Double
    /// The space between the edges of the block and its content.
    public var insets: EdgeInsets
    /// The padding of all sides, in points. Setting it sets all insets; reading it returns the
    /// largest.
    public var padding: Double {
        get { max(insets.top, insets.leading, insets.bottom, insets.trailing) }
        set { insets = EdgeInsets(newValue) }
    }
    /// The style of the title.
    public var title: TextSettings
    /// The style of the subtitle.
    public var subtitle: TextSettings
    /// The maximum width of the title.
    public var titleMaxWidth: Double
    /// The maximum width of the subtitle.
    public var subtitleMaxWidth: Double
    /// The look of the first button.
    public var firstButton: Button
    /// The look of the second button.
    public var secondButton: Button
    /// The look of the third button.
    public var thirdButton: Button
    /// The space below the graphic.
    public var spaceBelowGraphic: Double
    /// The space between the title and the subtitle.
    public var spaceBelowTitle: Double
    /// The space above the first button.
    public var spaceAboveButtons: Double
    /// The space between two buttons.
    public var spaceBetweenButtons: Double
    /// The text size that the reader prefers.
    public var textSize = TextSize.large

    /// Creates the look that the tokens of a theme give to state views.
    package init(tokens: Theme) {
        func color(_ path: String) -> ThemeColor {
            tokens.themeColor("theme.color." + path) ?? ThemeColor(.black)
        }
        func points(_ name: String) -> Double {
            tokens.dimension("theme.dimension.state-view." + name) ?? 0
        }
        func text(_ name: String, _ weight: TextWeight, _ color: ThemeColor) -> TextSettings {
            TextSettings(
                size: points(name + "-size"), weight: weight, lineHeight: points(name + "-line"),
                color: color
            ).scaled(to: .large)
        }
        func button(_ name: String) -> Button {
            let path = "state-view.button-\(name)."
            return Button(
                text: text("button", .semibold, color(path + "foreground")),
                background: color(path + "background"), height: points("button-height"),
                cornerRadius: points("button-radius"), padding: points("button-padding"))
        }
        iconOrAnimationSize = Size(min(points("graphic"), Self.longest))
        background = color("background.surface")
        width = points("width")
        insets = EdgeInsets(points("padding"))
        title = text("title", .semibold, color("foreground.default"))
        subtitle = text("subtitle", .light, color("foreground.subtle"))
        titleMaxWidth = points("title-width")
        subtitleMaxWidth = points("subtitle-width")
        firstButton = button("primary")
        secondButton = button("secondary")
        thirdButton = button("tertiary")
        spaceBelowGraphic = points("gap-graphic")
        spaceBelowTitle = points("gap-title")
        spaceAboveButtons = points("gap-buttons")
        spaceBetweenButtons = points("gap-button")
    }

    private static let longest = 2048.0
    /// The graphic grows less than the text, because the width of the block is limited.
    private static let greatestGraphicFactor = 1.5
    /// The least space above and below the title of a button.
    static let leastButtonMargin = 8.0

    private typealias Length = WritableKeyPath<StateStyle, Double>

    private static var buttons: [WritableKeyPath<StateStyle, Button>] {
        [\.firstButton, \.secondButton, \.thirdButton]
    }

    private static var spaces: [Length] {
        [\.spaceBelowGraphic, \.spaceBelowTitle, \.spaceAboveButtons, \.spaceBetweenButtons]
    }

    private static var lengths: [Length] {
        spaces + [
            \.iconOrAnimationSize.width, \.iconOrAnimationSize.height, \.cornerRadius, \.width,
            \.insets.top, \.insets.leading, \.insets.bottom, \.insets.trailing, \.titleMaxWidth,
            \.subtitleMaxWidth,
        ]
            + buttons.flatMap { button in
                [\Button.height, \.cornerRadius, \.padding].map { button.appending(path: $0) }
            }
    }

    var buttons: [Button] { [firstButton, secondButton, thirdButton] }

    package static func bounded(_ points: Double) -> Double {
        points.isFinite ? min(max(points, 0), longest) : 0
    }

    /// Returns the style with all lengths limited to values that can be drawn.
    package func bounded() -> StateStyle {
        var style = self
        for path in Self.lengths { style[keyPath: path] = Self.bounded(style[keyPath: path]) }
        return style
    }

    /// Returns the style for its text size. The graphic, the spaces and the corners of buttons grow
    /// with the texts, so that large text does not stand in a block made for small text.
    package func fitted() -> StateStyle {
        var style = self
        style.title = title.scaled(to: textSize)
        style.subtitle = subtitle.scaled(to: textSize)
        for button in Self.buttons {
            style[keyPath: button].text = style[keyPath: button].text.scaled(to: textSize)
        }
        let factor = max(1, textSize.factor)
        guard factor > 1 else { return style }
        let graphicFactor = min(factor, Self.greatestGraphicFactor)
        style.iconOrAnimationSize.width = (iconOrAnimationSize.width * graphicFactor).rounded()
        style.iconOrAnimationSize.height = (iconOrAnimationSize.height * graphicFactor).rounded()
        for space in Self.spaces {
            style[keyPath: space] = (style[keyPath: space] * factor).rounded()
        }
        for path in Self.buttons {
            // The radius keeps its share of the height of a button with one line.
            let button = style[keyPath: path]
            let least = button.text.lineHeight + 2 * Self.leastButtonMargin
            guard button.height > 0, least > button.height else { continue }
            style[keyPath: path].cornerRadius =
                (button.cornerRadius * least / button.height).rounded()
        }
        return style
    }
}
