import Theming

/// The measures of a badge in points, and its colours.
package struct BadgeStyle: Hashable, Sendable {
    package var height: Double
    package var textSize: Double
    /// The least distance of the text from the ends of the pill.
    package var padding: Double
    package var maxWidth: Double
    /// How wide and high a dot is.
    package var dotSide = 10.0
    /// The gap that is cut out of what the badge lies on.
    package var ring: Double
    /// Pixels a point, to whose borders edges and letters are moved.
    package var scale: Double
    package var colors: BadgeColors

    /// What stands above and below the text at least, whatever it is.
    package static let clearance = 4.0
    /// Below this no text has a place between the clearances.
    static let leastHeight = 12.0
    static let greatestHeight = 512.0

    /// A badge that stands alone.
    package init(
        _ appearance: BadgeAppearance, theme: Theme, scheme: ColorScheme = .light,
        scale: Double = 1
    ) {
        height = min(
            max(theme.dimension("theme.dimension.height.badge") ?? 22, Self.leastHeight),
            Self.greatestHeight)
        textSize = max(theme.badgeDimension("text"), 1)
        padding = min(theme.badgeDimension("padding"), Self.greatestHeight)
        maxWidth = min(
            max(theme.badgeDimension("max-width"), height), 8 * Self.greatestHeight)
        ring = min(theme.badgeDimension("ring"), Self.greatestHeight)
        self.scale = scale
        colors = theme.badgeColors(appearance, scheme)
    }

    /// A badge on a component of this width and height: smaller than alone where that is small,
    /// but never so small that it could not be read.
    package init(
        _ appearance: BadgeAppearance, on size: (width: Double, height: Double), theme: Theme,
        scheme: ColorScheme = .light, scale: Double = 1
    ) {
        self.init(appearance, theme: theme, scheme: scheme, scale: scale)
        let alone = height
        let share = 2 * (size.height * 0.15 + 0.5).rounded(.down)
        height = min(alone, max(16, share))
        // Five points above and below capitals: what is round or hangs needs some of them.
        textSize = min(textSize, max((height - 10) / TextStyle.capitalShare, 1))
        padding = (padding * height / alone).rounded()
        maxWidth = max(height, size.width)
        // A quarter of the component, so that it covers a sixteenth of it.
        dotSide = max(1, (size.height / 4).rounded())
        ring = min(ring, max(1, (size.height / 24).rounded()))
    }
}
