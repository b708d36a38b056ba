/// The tokens of the built-in theme, in the format of a user's file.
///
/// The light scheme has soft tints with dark foregrounds, the dark scheme the opposite. A test
/// verifies that every pair has a contrast of at least 4.5:1.
enum DefaultTokens {
    static let text = """
        {
            "theme": {
                "color": {
                    "background": {
                        "surface": { "light": "#FFFFFF", "dark": "#14161B" },
                        "brand": { "light": "#3F4BD1", "dark": "#8F99FF" },
                        "brand-subtle": { "light": "#E7E9FC", "dark": "#262C66" },
                        "info": { "light": "#0B63CE", "dark": "#63B0FF" },
                        "info-subtle": { "light": "#E0F0FE", "dark": "#0D3354" },
                        "success": { "light": "#157F3E", "dark": "#4CC97F" },
                        "success-subtle": { "light": "#E1F5E8", "dark": "#103D28" },
                        "warning": { "light": "#FFC533", "dark": "#FFC94D" },
                        "warning-subtle": { "light": "#FFF2D1", "dark": "#4A3206" },
                        "danger": { "light": "#C62828", "dark": "#FF8A85" },
                        "danger-subtle": { "light": "#FDE6E6", "dark": "#541C1F" },
                        "neutral": { "light": "#DDE1E8", "dark": "#B4BDCA" },
                        "neutral-subtle": { "light": "#ECEEF2", "dark": "#2C323C" },
                        "category-1": { "light": "#DBF4F1", "dark": "#0C3F3C" },
                        "category-2": { "light": "#F0E7FD", "dark": "#3B2364" },
                        "category-3": { "light": "#FCE4F1", "dark": "#521A3B" },
                        "category-4": { "light": "#FFE8D8", "dark": "#522A0F" },
                        "category-5": { "light": "#EBF5CF", "dark": "#333F0C" },
                        "category-6": { "light": "#DAF3FA", "dark": "#0C3C4C" },
                        "category-7": { "light": "#FFE4DE", "dark": "#55231A" },
                        "category-8": { "light": "#E4EAF1", "dark": "#2B3643" },
                        "category-9": { "light": "#F3EADD", "dark": "#41311F" },
                        "category-10": { "light": "#F9E3FB", "dark": "#4A1A52" }
                    },
                    "on-background": {
                        "surface": { "light": "#1A1D24", "dark": "#F1F3F7" },
                        "brand": { "light": "#FFFFFF", "dark": "#12163F" },
                        "brand-subtle": { "light": "#2D379B", "dark": "#CBD0FF" },
                        "info": { "light": "#FFFFFF", "dark": "#04203D" },
                        "info-subtle": { "light": "#0B4F8A", "dark": "#B5DBFF" },
                        "success": { "light": "#FFFFFF", "dark": "#04240F" },
                        "success-subtle": { "light": "#14603A", "dark": "#A9E6C3" },
                        "warning": { "light": "#3D2A00", "dark": "#3A2800" },
                        "warning-subtle": { "light": "#7A4A00", "dark": "#FFDC95" },
                        "danger": { "light": "#FFFFFF", "dark": "#3B0506" },
                        "danger-subtle": { "light": "#9B1C1C", "dark": "#FFC2C0" },
                        "neutral": { "light": "#2A313C", "dark": "#1B2028" },
                        "neutral-subtle": { "light": "#3B4454", "dark": "#D3D9E3" },
                        "category-1": { "light": "#0B5B55", "dark": "#A4E5DE" },
                        "category-2": { "light": "#5E2BA0", "dark": "#DFC8FF" },
                        "category-3": { "light": "#96195F", "dark": "#FFC0DF" },
                        "category-4": { "light": "#8A3A06", "dark": "#FFCBA6" },
                        "category-5": { "light": "#47590B", "dark": "#D6E78F" },
                        "category-6": { "light": "#0A5870", "dark": "#A8E0F2" },
                        "category-7": { "light": "#97301C", "dark": "#FFC4B8" },
                        "category-8": { "light": "#36475B", "dark": "#CFD9E5" },
                        "category-9": { "light": "#664523", "dark": "#E8D3B6" },
                        "category-10": { "light": "#7F1D8C", "dark": "#F4C0FB" }
                    },
                    "foreground": {
                        "default": { "light": "#1A1D24", "dark": "#F1F3F7" },
                        "subtle": { "light": "#5A6473", "dark": "#A6AFBD" }
                    },
                    "emblem": {
        \(emblems)
                    },
                    "badge": {
        \(badges)
                    },
                    "state-view": {
                        "button-primary": {
                            "background": "{theme.color.background.brand}",
                            "foreground": "{theme.color.on-background.brand}"
                        },
                        "button-secondary": {
                            "background": "{theme.color.background.brand-subtle}",
                            "foreground": "{theme.color.on-background.brand-subtle}"
                        },
                        "button-tertiary": {
                            "background": "{theme.color.background.surface}",
                            "foreground": "{theme.color.on-background.brand-subtle}"
                        }
                    }
                },
                "dimension": {
                    "height": {
                        "emblem": {
                            "sm": 40,
                            "md": 48,
                            "lg": 64,
                            "xl": 80
                        },
                        "avatar": {
                            "sm": 24,
                            "default": 40,
                            "md": 56,
                            "lg": 80
                        },
                        "badge": 22
                    },
                    "radius": {
                        "emblem": {
                            "sm": 8,
                            "md": 12,
                            "lg": 16,
                            "xl": 20
                        },
                        "sm": 4,
                        "md": 8,
                        "lg": 12,
                        "xl": 16
                    },
                    "badge": {
                        "text": 11,
                        "padding": 8,
                        "max-width": 240,
                        "ring": 2
                    },
                    "spacing": {
                        "xs": 4,
                        "sm": 8,
                        "md": 12,
                        "lg": 16,
                        "xl": 24,
                        "xxl": 32
                    },
                    "state-view": {
                        "width": 360,
                        "padding": 0,
                        "graphic": 144,
                        "gap-graphic": "{theme.dimension.spacing.lg}",
                        "gap-title": "{theme.dimension.spacing.lg}",
                        "gap-buttons": "{theme.dimension.spacing.lg}",
                        "gap-button": "{theme.dimension.spacing.lg}",
                        "title-size": 28,
                        "title-line": 34,
                        "title-width": 312,
                        "subtitle-size": 15,
                        "subtitle-line": 20,
                        "subtitle-width": 312,
                        "button-size": 16,
                        "button-line": 20,
                        "button-height": 48,
                        "button-padding": "{theme.dimension.spacing.xl}",
                        "button-radius": "{theme.dimension.radius.lg}"
                    }
                }
            }
        }
        """

    /// Each appearance of an emblem refers to the tint of its name, or to the colour of its category.
    private static let emblems = EmblemAppearance.allCases.map { appearance in
        let name = appearance.tokenName
        return group(
            name, of: name.hasPrefix("category") ? name : name + "-subtle", hasBorder: true)
    }.joined(separator: ",\n")

    private static let badges = BadgeAppearance.allCases.map { group($0.rawValue, of: $0.rawValue) }
        .joined(separator: ",\n")

    /// Returns the tokens of an appearance, which refer to a background colour and to the colour on
    /// that background.
    private static func group(_ name: String, of color: String, hasBorder: Bool = false) -> String {
        let background = "{theme.color.background.\(color)}"
        let border = hasBorder ? ",\n    \"border\": \"\(background)\"" : ""
        return """
            "\(name)": {
                "background": "\(background)",
                "foreground": "{theme.color.on-background.\(color)}"\(border)
            }
            """
    }
}
