import Raster
import Theming

/// The colours of a theme, grouped by purpose.
///
/// A colour of ``background`` can be named without its group: `colors.brand`, `colors.danger`.
@dynamicMemberLookup
public struct ThemeColors: Sendable {
    let tokens: Theming.Theme

    /// Returns a background colour.
    public subscript(dynamicMember role: KeyPath<Roles, ThemeColor>) -> ThemeColor {
        background[keyPath: role]
    }

    /// The background colours.
    public var background: Roles { Roles(tokens: tokens, group: "background") }
    /// The colours for content on the background of the same name, with a contrast of at least
    /// 4.5:1.
    public var onBackground: Roles { Roles(tokens: tokens, group: "on-background") }
    /// The colours of text and icons on the surface.
    public var foreground: Foreground { Foreground(tokens: tokens) }

    /// The colours of ``foreground``, under the name that they have in some catalogues.
    public var text: Foreground { foreground }

    /// Returns the colours of emblems with an appearance.
    public func emblem(_ appearance: Emblem.Appearance) -> Appearance {
        let path = "emblem.\(appearance.tokenName)."
        return Appearance(
            background: tokens.shades(path + "background"),
            foreground: tokens.shades(path + "foreground"), border: tokens.shades(path + "border"))
    }

    /// Returns the colours of badges with an appearance. A badge has no border, so that the border
    /// is the background.
    public func badge(_ appearance: Badge.Appearance) -> Appearance {
        let background = tokens.shades("badge.\(appearance.rawValue).background")
        return Appearance(
            background: background,
            foreground: tokens.shades("badge.\(appearance.rawValue).foreground"),
            border: background)
    }

    /// Returns a colour by its path. The path may omit `theme.color.`. The result is `nil` for a
    /// path that the built-in theme does not have.
    public subscript(path: String) -> ThemeColor? {
        tokens.themeColor(path) ?? tokens.themeColor("theme.color." + path)
    }

    /// The three colours of an appearance.
    public struct Appearance: Hashable, Sendable {
        /// The colour behind the image.
        public let background: ThemeColor
        /// The colour of icons, templates and initials.
        public let foreground: ThemeColor
        /// The colour of the border, if there is one.
        public let border: ThemeColor
    }

    /// Colours of content on the surface.
    public struct Foreground: Sendable {
        let tokens: Theming.Theme

        /// The colour of primary text.
        public var `default`: ThemeColor { tokens.shades("foreground.default") }
        /// The colour of secondary text.
        public var subtle: ThemeColor { tokens.shades("foreground.subtle") }
    }

    /// Colours named after their meaning.
    public struct Roles: Sendable {
        let tokens: Theming.Theme
        let group: String

        private func color(_ name: String) -> ThemeColor { tokens.shades("\(group).\(name)") }

        /// The screen or page behind all content.
        public var surface: ThemeColor { color("surface") }
        /// The full brand colour.
        public var brand: ThemeColor { color("brand") }
        /// The tint of the brand colour.
        public var brandSubtle: ThemeColor { color("brand-subtle") }
        /// The full colour for information.
        public var info: ThemeColor { color("info") }
        /// The tint for information.
        public var infoSubtle: ThemeColor { color("info-subtle") }
        /// The full colour for success.
        public var success: ThemeColor { color("success") }
        /// The tint for success.
        public var successSubtle: ThemeColor { color("success-subtle") }
        /// The full colour for warnings.
        public var warning: ThemeColor { color("warning") }
        /// The tint for warnings.
        public var warningSubtle: ThemeColor { color("warning-subtle") }
        /// The full colour for errors.
        public var danger: ThemeColor { color("danger") }
        /// The tint for errors.
        public var dangerSubtle: ThemeColor { color("danger-subtle") }
        /// The full neutral colour.
        public var neutral: ThemeColor { color("neutral") }
        /// The neutral tint.
        public var neutralSubtle: ThemeColor { color("neutral-subtle") }

        /// Returns the colour of one of ten categories, from 1. Other numbers wrap around.
        public func category(_ number: Int) -> ThemeColor {
            color("category-\((number % 10 + 9) % 10 + 1)")
        }
    }
}

extension Theming.Theme {
    /// Returns a colour that every theme has, because the built-in theme has it.
    fileprivate func shades(_ path: String) -> ThemeColor {
        guard let color = themeColor("theme.color." + path) else {
            preconditionFailure("The built-in theme has every colour that has a name here.")
        }
        return color
    }
}
