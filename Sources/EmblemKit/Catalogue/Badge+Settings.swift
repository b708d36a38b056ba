import FoundationEssentials
import System

extension Badge {
    /// The colours of a badge, which ``DesignSystem/Styles/badge`` can change.
    ///
    /// The sizes are tokens of the theme (`theme.dimension.badge`), because all badges share them.
    public struct Settings: Hashable, Sendable {
        /// The appearance to which the colours belong.
        public let appearance: Appearance
        /// The colour of the pill.
        public var background: ThemeColor
        /// The colour of the text.
        public var foreground: ThemeColor

        /// The background colour, under the name that it has in UIKit.
        public var backgroundColor: ThemeColor {
            get { background }
            set { background = newValue }
        }

        /// The colour of the text, under the name that it has in UIKit.
        public var textColor: ThemeColor {
            get { foreground }
            set { foreground = newValue }
        }

        init(_ appearance: Appearance, in theme: Theme) {
            let colors = theme.colors.badge(appearance)
            self.appearance = appearance
            background = colors.background
            foreground = colors.foreground
        }
    }
}

extension Theme {
    /// The themes with changed badges. They are kept because a theme is costly to resolve.
    private static let styledThemes = BoundedCache<StyledKey, Theme>(countLimit: 32)

    private struct StyledKey: Hashable {
        let theme: Theme
        let badges: [Badge.Settings]
    }

    /// Returns the theme with the badge colours of ``DesignSystem/Settings/styles``.
    ///
    /// The colours become tokens, so that they reach badges over components, which worker processes
    /// draw.
    func styled() -> Theme {
        guard let style = DesignSystem.shared.styles.badge else { return self }
        let original = Badge.Appearance.allCases.map { Badge.Settings($0, in: self) }
        let badges = original.map { settings in
            var settings = settings
            style(&settings)
            return settings
        }
        guard badges != original else { return self }
        return Self.styledThemes.value(for: StyledKey(theme: self, badges: badges)) {
            layered(with: badges)
        }
    }

    private func layered(with badges: [Badge.Settings]) -> Theme {
        func token(_ color: ThemeColor) -> String {
            #"{"light": "\#(color.light.hex)", "dark": "\#(color.dark.hex)"}"#
        }
        let groups = badges.map { badge in
            "\"\(badge.appearance.rawValue)\": {\"background\": \(token(badge.background)), "
                + "\"foreground\": \(token(badge.foreground))}"
        }
        let json = #"{"theme": {"color": {"badge": {\#(groups.joined(separator: ", "))}}}}"#
        guard let theme = try? layered(Array(json.utf8), name: name) else {
            preconditionFailure("Eight-digit colours of tokens that exist are a valid theme.")
        }
        return theme
    }
}
