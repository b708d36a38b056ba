import Raster

/// The size of an emblem in points, with its corner radius.
public enum EmblemLayout: String, CaseIterable, Hashable, Sendable {
    /// 40 points, radius 8.
    case small
    /// 48 points, radius 12.
    case medium
    /// 64 points, radius 16.
    case large
    /// 80 points, radius 20.
    case xLarge

    /// The last part of the layout's token paths, as in `theme.dimension.height.emblem.sm`.
    package var tokenName: String {
        switch self {
        case .small: "sm"
        case .medium: "md"
        case .large: "lg"
        case .xLarge: "xl"
        }
    }
}

/// The side of an avatar's square in points. The avatar is the circle in this square.
public enum AvatarLayout: String, CaseIterable, Hashable, Sendable {
    /// 24 points.
    case small
    /// 40 points.
    case `default`
    /// 56 points.
    case medium
    /// 80 points.
    case large

    /// The last part of the layout's token path, as in `theme.dimension.height.avatar.sm`.
    package var tokenName: String {
        switch self {
        case .small: "sm"
        case .default: "default"
        case .medium: "md"
        case .large: "lg"
        }
    }
}

extension Theme {
    /// Returns the side of an avatar's square in points; the avatar is the inscribed circle.
    package func side(of layout: AvatarLayout) -> Double {
        dimension("theme.dimension.height.avatar.\(layout.tokenName)") ?? 40
    }

    package func avatarColors(
        _ appearance: EmblemAppearance = .brand, _ scheme: ColorScheme
    ) -> EmblemColors {
        let name = appearance.tokenName
        let background = color("theme.color.background.\(name)", scheme) ?? .black
        return EmblemColors(
            background: background,
            foreground: color("theme.color.on-background.\(name)", scheme) ?? .white,
            border: background)
    }
}

/// The meaning of an emblem, which determines its three colours.
public enum EmblemAppearance: String, CaseIterable, Hashable, Sendable {
    /// The colours of the brand.
    case brand
    /// Colours for information.
    case info
    /// Colours for success.
    case success
    /// Colours for a warning.
    case warning
    /// Colours for an error.
    case danger
    /// Colours of ten categories.
    case category1, category2, category3, category4, category5, category6, category7, category8,
        category9, category10

    /// The appearance's part of a token path, as in `theme.color.emblem.category-1.background`.
    package var tokenName: String {
        let prefix = "category"
        guard rawValue.hasPrefix(prefix) else { return rawValue }
        return prefix + "-" + rawValue.dropFirst(prefix.count)
    }
}

package struct EmblemColors: Hashable, Sendable {
    package var background: Color
    /// The colour of templates and text.
    package var foreground: Color
    package var border: Color

    package init(background: Color, foreground: Color, border: Color) {
        self.background = background
        self.foreground = foreground
        self.border = border
    }

    /// Sets one colour for the background and the border.
    package mutating func fill(with color: Color) {
        background = color
        border = color
    }
}

/// The meaning of a badge, which selects its two colours.
public enum BadgeAppearance: String, CaseIterable, Hashable, Sendable {
    /// Grey, with dark text.
    case neutral
    /// Blue.
    case info
    /// Green.
    case success
    /// Yellow, with dark text.
    case warning
    /// Red.
    case danger
}

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

    /// Returns a length in points, by the last part of its path.
    package func badgeDimension(_ name: String) -> Double {
        dimension("theme.dimension.badge.\(name)") ?? 0
    }
}
