import Raster
import Theming

/// The colours of a theme, by what they are for.
public struct ThemeColors: Sendable {
    let tokens: Theming.Theme

    /// What things stand on.
    public var background: Roles { Roles(tokens: tokens, group: "background") }
    /// What is drawn on the background of the same name, with a contrast of 4.5:1 or more.
    public var onBackground: Roles { Roles(tokens: tokens, group: "on-background") }
    /// Text and icons on the surface.
    public var foreground: Foreground { Foreground(tokens: tokens) }

    /// The colours that an emblem of this appearance wears.
    public func emblem(_ appearance: Emblem.Appearance) -> Appearance {
        let path = "emblem.\(appearance.value.tokenName)."
        return Appearance(
            background: tokens.themed(path + "background"),
            foreground: tokens.themed(path + "foreground"), border: tokens.themed(path + "border"))
    }

    /// Any colour by its path, with or without `theme.color.`; nil for a path that the built-in
    /// theme does not have.
    public subscript(path: String) -> ThemeColor? {
        tokens.themedIfThere(path) ?? tokens.themedIfThere("theme.color." + path)
    }

    /// The three colours of an appearance.
    public struct Appearance: Hashable, Sendable {
        /// Below the picture.
        public let background: ThemeColor
        /// Of icons, templates and initials.
        public let foreground: ThemeColor
        /// Of the border, where one is asked for.
        public let border: ThemeColor
    }

    /// Colours on the surface.
    public struct Foreground: Sendable {
        let tokens: Theming.Theme

        /// Of what is to be read.
        public var `default`: ThemeColor { tokens.themed("foreground.default") }
        /// Of what matters less.
        public var subtle: ThemeColor { tokens.themed("foreground.subtle") }
    }

    /// Colours named after what they mean.
    public struct Roles: Sendable {
        let tokens: Theming.Theme
        let group: String

        private func color(_ name: String) -> ThemeColor { tokens.themed("\(group).\(name)") }

        /// The screen or page behind everything.
        public var surface: ThemeColor { color("surface") }
        /// The brand, at full strength.
        public var brand: ThemeColor { color("brand") }
        /// The brand as a tint.
        public var brandSubtle: ThemeColor { color("brand-subtle") }
        /// Something to know, at full strength.
        public var info: ThemeColor { color("info") }
        /// Something to know, as a tint.
        public var infoSubtle: ThemeColor { color("info-subtle") }
        /// Something went well, at full strength.
        public var success: ThemeColor { color("success") }
        /// Something went well, as a tint.
        public var successSubtle: ThemeColor { color("success-subtle") }
        /// Something needs attention, at full strength.
        public var warning: ThemeColor { color("warning") }
        /// Something needs attention, as a tint.
        public var warningSubtle: ThemeColor { color("warning-subtle") }
        /// Something went wrong, at full strength.
        public var danger: ThemeColor { color("danger") }
        /// Something went wrong, as a tint.
        public var dangerSubtle: ThemeColor { color("danger-subtle") }
        /// Nothing in particular, at full strength.
        public var neutral: ThemeColor { color("neutral") }
        /// Nothing in particular, as a tint.
        public var neutralSubtle: ThemeColor { color("neutral-subtle") }

        /// One of the ten kinds that are told apart by colour; numbers beyond begin anew.
        public func category(_ number: Int) -> ThemeColor {
            color("category-\((number % 10 + 9) % 10 + 1)")
        }
    }
}

extension Theming.Theme {
    fileprivate func themedIfThere(_ path: String) -> ThemeColor? {
        guard let light = color(path, .light), let dark = color(path, .dark) else { return nil }
        return ThemeColor(light, dark: dark)
    }

    /// A colour that the built-in theme has, so that every theme has it.
    fileprivate func themed(_ path: String) -> ThemeColor {
        guard let color = themedIfThere("theme.color." + path) else {
            preconditionFailure("The built-in theme has every colour that has a name here.")
        }
        return color
    }
}
