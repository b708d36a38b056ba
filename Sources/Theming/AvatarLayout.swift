import Raster

/// The four sizes in which an avatar is made.
package enum AvatarLayout: String, CaseIterable, Hashable, Sendable {
    case small, `default`, medium, large

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
    /// The side of an avatar's square in points; the avatar is the circle in it.
    package func side(of layout: AvatarLayout) -> Double {
        dimension("theme.dimension.height.avatar.\(layout.tokenName)") ?? 40
    }

    /// What initials and icons of avatars stand on and are drawn in.
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
