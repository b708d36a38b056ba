import Raster

/// What a badge means, which decides its two colours.
package enum BadgeAppearance: String, CaseIterable, Hashable, Sendable {
    case neutral, info, success, warning, danger
}

/// The pill's colour and that of its text.
package struct BadgeColors: Hashable, Sendable {
    package var background: Color
    package var foreground: Color

    package init(background: Color, foreground: Color) {
        self.background = background
        self.foreground = foreground
    }
}

extension Theme {
    package func badgeColors(
        _ appearance: BadgeAppearance, _ scheme: ColorScheme
    ) -> BadgeColors {
        let group = "theme.color.badge.\(appearance.rawValue)."
        return BadgeColors(
            background: color(group + "background", scheme) ?? .black,
            foreground: color(group + "foreground", scheme) ?? .white)
    }

    /// A measure of badges in points, by the last part of its path.
    package func badgeDimension(_ name: String) -> Double {
        dimension("theme.dimension.badge.\(name)") ?? 0
    }
}
