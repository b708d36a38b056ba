import Raster
import Theming

/// The look of a state view, in points: taken from a theme and open to change.
package struct StateStyle: Hashable, Sendable {
    /// The look of one of the buttons.
    package struct Button: Hashable, Sendable {
        package var text: TextStyle
        package var foreground: Color
        package var background: Color
        /// The least height; longer titles take more lines.
        package var height: Double
        package var radius: Double
        /// Room between the title and the left and right end.
        package var padding: Double
    }

    /// What the block stands on.
    package var background: Color
    package var title: TextStyle
    package var titleColor: Color
    package var titleMaxWidth: Double
    package var subtitle: TextStyle
    package var subtitleColor: Color
    package var subtitleMaxWidth: Double
    package var iconOrAnimationSize: (width: Double, height: Double) {
        get { (graphicWidth, graphicHeight) }
        set { (graphicWidth, graphicHeight) = newValue }
    }
    private var graphicWidth: Double
    private var graphicHeight: Double
    /// The plate under a built-in icon, and the icon.
    package var plate: EmblemColors
    /// Three, the first one the most prominent.
    package var buttons: [Button]
    /// The width of the block; what is wider widens it.
    package var width: Double
    package var padding: Double
    package var gapBelowGraphic: Double
    package var gapBelowTitle: Double
    package var gapAboveButtons: Double
    package var gapBetweenButtons: Double
    /// Which way everything runs; nil is as the words do.
    package var direction: TextDirection?

    /// The style of a theme.
    package init(
        theme: Theme, scheme: ColorScheme = .light, appearance: EmblemAppearance = .brand,
        textSize: TextSize = .large
    ) {
        func color(_ path: String) -> Color { theme.color("theme.color." + path, scheme) ?? .black }
        func points(_ name: String) -> Double {
            theme.dimension("theme.dimension.state-view." + name, scheme) ?? 0
        }
        func style(_ name: String, _ weight: TextWeight) -> TextStyle {
            TextStyle(
                size: points(name + "-size"), weight: weight, lineHeight: points(name + "-line")
            ).scaled(to: textSize)
        }
        background = color("background.surface")
        title = style("title", .semibold)
        titleColor = color("foreground.default")
        titleMaxWidth = points("title-width")
        subtitle = style("subtitle", .regular)
        subtitleColor = color("foreground.subtle")
        subtitleMaxWidth = points("subtitle-width")
        graphicWidth = min(points("graphic"), 2048)
        graphicHeight = min(points("graphic"), 2048)
        plate = theme.emblemColors(appearance, scheme)
        let text = style("button", .semibold)
        buttons = ["primary", "secondary", "tertiary"].map { name in
            let path = "state-view.button-\(name)."
            return Button(
                text: text, foreground: color(path + "foreground"),
                background: color(path + "background"), height: points("button-height"),
                radius: points("button-radius"), padding: points("button-padding"))
        }
        width = points("width")
        padding = points("padding")
        gapBelowGraphic = points("gap-graphic")
        gapBelowTitle = points("gap-title")
        gapAboveButtons = points("gap-buttons")
        gapBetweenButtons = points("gap-button")
    }
}
