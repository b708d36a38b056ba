import Theming

/// The decisions about one logo, with their reasons, as the manifest states them.
package struct LogoDecision: Hashable, Sendable {
    /// The background that was chosen for a logo in one colour scheme.
    package struct Ground: Hashable, Sendable {
        package enum Reason: String, CaseIterable, Hashable, Sendable {
            /// The picture has its own background, which is used.
            case own
            /// Enough of the picture is visible on the background of the appearance, or the recipe
            /// fixes the background.
            case shows
            /// More of the picture is visible than on the background of the appearance.
            case showsMore = "shows-more"
            /// Too little of the picture is visible, but on no other background is enough more of
            /// it visible.
            case none
        }

        package var scheme: ColorScheme
        package var appearance: EmblemAppearance
        /// The colour scheme from which the colours of `appearance` are taken.
        package var colors: ColorScheme
        package var reason: Reason
        /// The visible part of the logo on the background of the appearance, in hundredths.
        package var shownBefore: Int
        /// The visible part of the logo on the chosen background, in hundredths.
        package var shown: Int
        /// Whether a line marks the edge, because the background would vanish on the page.
        package var hasHairline: Bool

        package init(
            scheme: ColorScheme, appearance: EmblemAppearance, colors: ColorScheme,
            reason: Reason, shownBefore: Int, shown: Int, hasHairline: Bool = false
        ) {
            self.scheme = scheme
            self.appearance = appearance
            self.colors = colors
            self.reason = reason
            self.shownBefore = shownBefore
            self.shown = shown
            self.hasHairline = hasHairline
        }
    }

    package var kind: LogoKind
    /// The part of the area that was cut off as a margin, in hundredths.
    package var trim: Int
    /// The requested distance from the round outline, in hundredths of the height.
    package var inset: Int
    /// The sides on which the content runs off the picture, and touches the edge of the emblem.
    package var cut: LogoSides
    package var grounds: [Ground]

    package init(
        kind: LogoKind, trim: Int, inset: Int, cut: LogoSides = [], grounds: [Ground] = []
    ) {
        self.kind = kind
        self.trim = trim
        self.inset = inset
        self.cut = cut
        self.grounds = grounds
    }
}

/// The kind of a logo, which decides its position and its background.
package enum LogoKind: String, CaseIterable, Hashable, Sendable {
    /// A shape without its own background that is neither a wordmark nor a disc.
    case mark
    /// A shape without its own background that is at least twice as wide as high, such as a name.
    case wordmark
    case disc
    /// A picture that is opaque along its edge in one colour or in a smooth gradient.
    case tile
    /// An opaque picture with a busy edge.
    case photograph
}
