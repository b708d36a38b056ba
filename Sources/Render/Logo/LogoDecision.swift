import Theming

/// The decisions about one logo, with their reasons, as the manifest states them.
package struct LogoDecision: Hashable, Sendable {
    /// The ground on which a logo stands in one colour scheme.
    package struct Ground: Hashable, Sendable {
        package enum Reason: String, CaseIterable, Hashable, Sendable {
            /// The picture has its own ground.
            case own
            /// Enough of the picture shows on the background of the appearance, or the recipe fixes
            /// the background.
            case shows
            /// More of the picture shows than on the background of the appearance.
            case showsMore = "shows-more"
            /// Too little of the picture shows, and no other background shows enough more of it.
            case none
        }

        package let scheme: ColorScheme
        package let appearance: EmblemAppearance
        /// The scheme whose colours of the appearance are used.
        package let colors: ColorScheme
        package let reason: Reason
        package let shownBefore: Int
        package let shown: Int

        package init(
            scheme: ColorScheme, appearance: EmblemAppearance, colors: ColorScheme,
            reason: Reason, shownBefore: Int, shown: Int
        ) {
            self.scheme = scheme
            self.appearance = appearance
            self.colors = colors
            self.reason = reason
            self.shownBefore = shownBefore
            self.shown = shown
        }
    }

    package let kind: LogoKind
    /// The part of the area that was cut off as a margin, in hundredths.
    package let trim: Int
    /// The distance from the round outline that was asked for, in hundredths of the height.
    package let inset: Int
    package var grounds: [Ground]

    package init(kind: LogoKind, trim: Int, inset: Int, grounds: [Ground] = []) {
        self.kind = kind
        self.trim = trim
        self.inset = inset
        self.grounds = grounds
    }
}

/// The kind of a logo, which decides its place and its ground.
package enum LogoKind: String, CaseIterable, Hashable, Sendable {
    /// Any other shape without its own ground.
    case mark
    /// A shape without its own ground that is at least twice as wide as high, such as a name.
    case wordmark
    case disc
    /// A picture that is opaque along its edge in one colour or in a smooth gradient.
    case tile
    /// An opaque picture with a busy edge.
    case photograph
}
