import Artwork
import Theming

extension StateView {
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
    public struct ButtonSettings: Hashable, Sendable {
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

    /// The sizes in points, the colours and the text styles of a state view.
    public struct Settings: Hashable, Sendable {
        /// The size of the graphic.
        public var iconOrAnimationSize: Size
        /// The colours of a built-in icon and its background plate.
        public var appearance: Emblem.Appearance
        /// The background colour of the block.
        public var background: ThemeColor
        /// The corner radius of the block in points.
        public var cornerRadius = 0.0
        /// Whether content beyond the rounded corners is cut off, such as a button of full width.
        public var clipsToBounds = false
        /// The width of the block.
        public var width: Double
        /// The space between the edges of the block and its content.
        public var insets: EdgeInsets
        /// The padding of all sides, in points. Setting it sets all insets; reading it returns the
        /// largest.
        public var padding: Double {
            get { insets.greatest }
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
        public var firstButton: ButtonSettings
        /// The look of the second button.
        public var secondButton: ButtonSettings
        /// The look of the third button.
        public var thirdButton: ButtonSettings
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
    }
}

extension StateView.Settings {
    /// Creates the look that a theme gives to state views.
    public init(theme: Theme) {
        let light = StateStyle(theme: theme.tokens, scheme: .light)
        let dark = StateStyle(theme: theme.tokens, scheme: .dark)
        func button(_ index: Int) -> StateView.ButtonSettings {
            let (one, other) = (light.buttons[index], dark.buttons[index])
            return StateView.ButtonSettings(
                text: TextSettings(
                    one.text, color: ThemeColor(one.foreground, dark: other.foreground)),
                background: ThemeColor(one.background, dark: other.background),
                height: one.height, cornerRadius: one.radius, padding: one.padding)
        }
        self.init(
            iconOrAnimationSize: StateView.Size(
                width: light.iconOrAnimationSize.width, height: light.iconOrAnimationSize.height),
            appearance: .brand,
            background: ThemeColor(light.background, dark: dark.background),
            width: light.width, insets: EdgeInsets(light.padding),
            title: TextSettings(
                light.title, color: ThemeColor(light.titleColor, dark: dark.titleColor)),
            subtitle: TextSettings(
                light.subtitle, color: ThemeColor(light.subtitleColor, dark: dark.subtitleColor)),
            titleMaxWidth: light.titleMaxWidth, subtitleMaxWidth: light.subtitleMaxWidth,
            firstButton: button(0), secondButton: button(1), thirdButton: button(2),
            spaceBelowGraphic: light.gapBelowGraphic, spaceBelowTitle: light.gapBelowTitle,
            spaceAboveButtons: light.gapAboveButtons,
            spaceBetweenButtons: light.gapBetweenButtons)
    }

    /// Returns the settings for a scheme, limited to values that can be drawn.
    func value(_ theme: Theme, _ scheme: ColorScheme) -> StateStyle {
        var style = StateStyle(
            theme: theme.tokens, scheme: scheme.value, appearance: appearance.value)
        style.iconOrAnimationSize = (
            Self.bounded(iconOrAnimationSize.width), Self.bounded(iconOrAnimationSize.height)
        )
        style.background = background.value(scheme)
        style.radius = Self.bounded(cornerRadius)
        style.clips = clipsToBounds
        style.width = Self.bounded(width)
        style.insets = StateStyle.Insets(
            top: Self.bounded(insets.top), leading: Self.bounded(insets.leading),
            bottom: Self.bounded(insets.bottom), trailing: Self.bounded(insets.trailing))
        style.title = title.value(textSize)
        style.titleColor = title.color.value(scheme)
        style.titleMaxWidth = Self.bounded(titleMaxWidth)
        style.subtitle = subtitle.value(textSize)
        style.subtitleColor = subtitle.color.value(scheme)
        style.subtitleMaxWidth = Self.bounded(subtitleMaxWidth)
        style.gapBelowGraphic = Self.bounded(spaceBelowGraphic)
        style.gapBelowTitle = Self.bounded(spaceBelowTitle)
        style.gapAboveButtons = Self.bounded(spaceAboveButtons)
        style.gapBetweenButtons = Self.bounded(spaceBetweenButtons)
        for (index, button) in [firstButton, secondButton, thirdButton].enumerated() {
            style.buttons[index].text = button.text.value(textSize)
            style.buttons[index].foreground = button.text.color.value(scheme)
            style.buttons[index].background = button.background.value(scheme)
            style.buttons[index].height = Self.bounded(button.height)
            style.buttons[index].radius = Self.bounded(button.cornerRadius)
            style.buttons[index].padding = Self.bounded(button.padding)
        }
        style.grow(for: textSize.value)
        return style
    }

    static func bounded(_ points: Double) -> Double {
        points.isFinite ? min(max(points, 0), 2048) : 0
    }
}
