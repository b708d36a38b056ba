import Artwork
import Theming

extension StateView {
    /// A width and a height in points; the counterpart of `CGSize`.
    public struct Size: Hashable, Sendable {
        /// From left to right.
        public var width: Double
        /// From top to bottom.
        public var height: Double

        /// A rectangle.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }

        /// A square.
        public init(_ side: Double) {
            self.init(width: side, height: side)
        }
    }

    /// The look of a button; the counterpart of a button style.
    public struct ButtonSettings: Hashable, Sendable {
        /// The text that stands on it.
        public var text: TextSettings
        /// What the text stands on.
        public var background: ThemeColor
        /// Its least height in points; longer titles take more lines.
        public var height: Double
        /// The radius of its corners in points.
        public var cornerRadius: Double
        /// The least room between the text and the ends, in points.
        public var padding: Double
    }

    /// The look of a state view, in points; the counterpart of a view's layout and style.
    public struct Settings: Hashable, Sendable {
        /// The size of the graphic.
        public var iconOrAnimationSize: Size
        /// The colours of the plate under a built-in icon, and of the icon.
        public var appearance: Emblem.Appearance
        /// What the block stands on.
        public var background: ThemeColor
        /// The width of the block.
        public var width: Double
        /// The room between the edges of the block and what it holds.
        public var insets: EdgeInsets
        /// The same room at all sides; read, the most that any side has.
        public var padding: Double {
            get { insets.greatest }
            set { insets = EdgeInsets(newValue) }
        }
        /// The look of the title.
        public var title: TextSettings
        /// The look of the subtitle.
        public var subtitle: TextSettings
        /// The greatest width of the title.
        public var titleMaxWidth: Double
        /// The greatest width of the subtitle.
        public var subtitleMaxWidth: Double
        /// The look of the first button.
        public var firstButton: ButtonSettings
        /// The look of the second button.
        public var secondButton: ButtonSettings
        /// The look of the third button.
        public var thirdButton: ButtonSettings
        /// The room below the graphic.
        public var spaceBelowGraphic: Double
        /// The room between title and subtitle.
        public var spaceBelowTitle: Double
        /// The room above the first button.
        public var spaceAboveButtons: Double
        /// The room between two buttons.
        public var spaceBetweenButtons: Double
        /// How large the reader wants text.
        public var textSize = TextSize.large
    }
}

extension StateView.Settings {
    /// The look that a theme gives to state views.
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

    /// The settings on screens of a scheme, whatever was set held within what can be drawn.
    func value(_ theme: Theme, _ scheme: ColorScheme) -> StateStyle {
        var style = StateStyle(
            theme: theme.tokens, scheme: scheme.value, appearance: appearance.value)
        style.iconOrAnimationSize = (
            Self.bounded(iconOrAnimationSize.width), Self.bounded(iconOrAnimationSize.height)
        )
        style.background = background.value(scheme)
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
        return style
    }

    /// A measure that can be drawn: no less than nothing, no more than any screen has.
    static func bounded(_ points: Double) -> Double {
        points.isFinite ? min(max(points, 0), 2048) : 0
    }
}
