import Theming

extension DesignSystem {
    /// Distances in points, from the tokens `theme.dimension.spacing.*`.
    public struct Spacer: Hashable, Sendable {
        /// 4 by default.
        public let xs: Double
        /// 8 by default.
        public let sm: Double
        /// 12 by default.
        public let md: Double
        /// 16 by default.
        public let lg: Double
        /// 24 by default.
        public let xl: Double
        /// 32 by default.
        public let xxl: Double

        init(_ theme: Theme) {
            xs = theme.points("spacing.xs")
            sm = theme.points("spacing.sm")
            md = theme.points("spacing.md")
            lg = theme.points("spacing.lg")
            xl = theme.points("spacing.xl")
            xxl = theme.points("spacing.xxl")
        }
    }

    /// Radii of corners in points, from the tokens `theme.dimension.radius.*`.
    public struct CornerRadius: Hashable, Sendable {
        /// 4 by default.
        public let sm: Double
        /// 8 by default.
        public let md: Double
        /// 12 by default.
        public let lg: Double
        /// 16 by default.
        public let xl: Double
        /// Makes ends half circles, whatever the height: no radius is larger than there is room for.
        public let full = 2048.0
        private let emblems: [Emblem.Layout: Double]

        init(_ theme: Theme) {
            sm = theme.points("radius.sm")
            md = theme.points("radius.md")
            lg = theme.points("radius.lg")
            xl = theme.points("radius.xl")
            emblems = Dictionary(
                uniqueKeysWithValues: Emblem.Layout.allCases.map {
                    ($0, theme.tokens.radius(of: $0.value))
                })
        }

        /// The radius of an emblem in a layout.
        public func emblem(_ layout: Emblem.Layout) -> Double { emblems[layout] ?? 0 }
    }

    /// The looks of texts; what fonts are on Apple's systems.
    public struct Typography: Hashable, Sendable {
        /// Of titles.
        public let title: TextSettings
        /// Of subtitles.
        public let subtitle: TextSettings
        /// Of the most prominent button.
        public let button: TextSettings

        init(_ theme: Theme) {
            let settings = StateView.Settings(theme: theme)
            title = settings.title
            subtitle = settings.subtitle
            button = settings.firstButton.text
        }
    }

    /// What components change of the look that the theme gives them. Each changes nothing until it
    /// is set.
    public struct Styles: Sendable {
        /// Of titles, everywhere.
        public var title: Style<TextSettings> = { _ in }
        /// Of subtitles, everywhere.
        public var subtitle: Style<TextSettings> = { _ in }
        /// Of the most prominent button, everywhere.
        public var primaryButton: Style<StateView.ButtonSettings> = { _ in }
        /// Of the button below, everywhere.
        public var secondaryButton: Style<StateView.ButtonSettings> = { _ in }
        /// Of the least prominent button, everywhere.
        public var tertiaryButton: Style<StateView.ButtonSettings> = { _ in }
        /// Of state views as a whole, after those of their parts.
        public var stateView: Style<StateView.Settings> = { _ in }

        func apply(to settings: inout StateView.Settings) {
            title(&settings.title)
            subtitle(&settings.subtitle)
            primaryButton(&settings.firstButton)
            secondaryButton(&settings.secondButton)
            tertiaryButton(&settings.thirdButton)
            stateView(&settings)
        }
    }
}

extension Theme {
    /// A measure that every theme has.
    fileprivate func points(_ path: String) -> Double {
        guard let points = dimension(path) else {
            preconditionFailure("The built-in theme has every measure that has a name here.")
        }
        return points
    }
}
