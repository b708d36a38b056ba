import Raster
import Theming

/// The look of a state view, in points, initialised from a theme.
package struct StateStyle: Hashable, Sendable {
    package struct Button: Hashable, Sendable {
        package var text: TextStyle
        package var foreground: Color
        package var background: Color
        /// The minimum height; longer titles take more lines.
        package var height: Double
        package var radius: Double
        package var padding: Double
    }

    package struct Insets: Hashable, Sendable {
        package var top: Double
        /// The space at the side where lines begin.
        package var leading: Double
        package var bottom: Double
        /// The space at the side where lines end.
        package var trailing: Double

        package init(top: Double, leading: Double, bottom: Double, trailing: Double) {
            self.top = top
            self.leading = leading
            self.bottom = bottom
            self.trailing = trailing
        }

        package init(_ points: Double) {
            self.init(top: points, leading: points, bottom: points, trailing: points)
        }

        var sides: Double { leading + trailing }

        /// Returns the distance from the middle of the block to the middle of its content, to the
        /// right.
        func shift(_ direction: TextDirection) -> Double {
            (direction == .rightToLeft ? trailing - leading : leading - trailing) / 2
        }
    }

    package var background: Color
    /// The corner radius of the background.
    package var radius = 0.0
    /// Whether content beyond the rounded corners is cut off.
    package var clips = false
    /// The colour of a page around a block with rounded corners.
    package internal(set) var surface: Color
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
    /// The colours of a built-in icon and of the plate below it.
    package var plate: EmblemColors
    /// The styles of the three buttons, the most prominent first.
    package var buttons: [Button]
    /// The width of the block; wider content extends it.
    package var width: Double
    package var insets: Insets
    /// The space on all sides. Setting it makes all four insets equal; its value is the largest
    /// inset.
    package var padding: Double {
        get { max(insets.top, insets.leading, insets.bottom, insets.trailing) }
        set { insets = Insets(newValue) }
    }
    package var gapBelowGraphic: Double
    package var gapBelowTitle: Double
    package var gapAboveButtons: Double
    package var gapBetweenButtons: Double

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
        surface = color("background.surface")
        background = surface
        title = style("title", .semibold)
        titleColor = color("foreground.default")
        titleMaxWidth = points("title-width")
        subtitle = style("subtitle", .light)
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
        insets = Insets(points("padding"))
        gapBelowGraphic = points("gap-graphic")
        gapBelowTitle = points("gap-title")
        gapAboveButtons = points("gap-buttons")
        gapBetweenButtons = points("gap-button")
        grow(for: textSize)
    }

    /// Enlarges the graphic, the gaps and the corners of buttons with the reader's text size, so
    /// that large text does not stand in a block made for small text.
    package mutating func grow(for textSize: TextSize) {
        let factor = max(1, textSize.factor)
        guard factor > 1 else { return }
        let graphicFactor = min(factor, Self.greatestGraphicFactor)
        graphicWidth = (graphicWidth * graphicFactor).rounded()
        graphicHeight = (graphicHeight * graphicFactor).rounded()
        gapBelowGraphic = (gapBelowGraphic * factor).rounded()
        gapBelowTitle = (gapBelowTitle * factor).rounded()
        gapAboveButtons = (gapAboveButtons * factor).rounded()
        gapBetweenButtons = (gapBetweenButtons * factor).rounded()
        for index in buttons.indices {
            // The radius keeps its share of the height of a button with one line.
            let least = buttons[index].text.lineHeight + 2 * Self.leastButtonMargin
            guard buttons[index].height > 0, least > buttons[index].height else { continue }
            buttons[index].radius = (buttons[index].radius * least / buttons[index].height)
                .rounded()
        }
    }

    /// The graphic grows less than the text, because the width of the block is limited.
    private static let greatestGraphicFactor = 1.5
    /// The least space above and below the title of a button.
    static let leastButtonMargin = 8.0
}

/// The reader's preferred text size, in the steps of Dynamic Type.
package enum TextSize: String, CaseIterable, Hashable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
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
    package var factor: Double { body / Self.usualBody }

    /// The size of body text for `large`, in points.
    private static let usualBody = 17.0

    /// Returns the factor of text that has this size for `large`. Titles grow less than body text,
    /// because they are large already and their words have to fit into a line.
    func factor(of size: Double) -> Double {
        guard size > Self.usualBody else { return factor }
        return 1 + (body - Self.usualBody) * Self.usualBody / (size * size)
    }
}

extension TextStyle {
    package func scaled(to size: TextSize) -> TextStyle {
        let factor = size.factor(of: self.size)
        return TextStyle(
            size: (self.size * factor).rounded(), weight: weight,
            lineHeight: (lineHeight * factor).rounded())
    }
}
