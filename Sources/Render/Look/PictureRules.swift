import Notation
import Raster
import Theming

/// The distance that pictures keep from the edge of their emblem, or from its border.
package enum Padding: Hashable, Sendable {
    case points(Double)
    /// Of the emblem's height.
    case percent(Double)
    /// For each picture the least at which the rounded corners cut none of its visible pixels.
    case safe
    /// For marks, names and discs `LogoStudy.inset` of the height from the round outline; none for
    /// pictures that bring their own ground along.
    case round

    package static let none = Padding.points(0)

    package init(_ value: InsetValue) {
        switch value {
        case .points(let points): self = .points(points)
        case .percent(let percent): self = .percent(percent)
        case .safe: self = .safe
        case .round: self = .round
        }
    }

    var value: InsetValue {
        switch self {
        case .points(let points): .points(points)
        case .percent(let percent): .percent(percent)
        case .safe: .safe
        case .round: .round
        }
    }

    /// In points, on an emblem of this height; none where each picture has its own.
    package func points(ofHeight height: Double) -> Double {
        switch self {
        case .points(let points): points
        case .percent(let percent): height * percent / 100
        case .safe, .round: 0
        }
    }
}

/// What is cut off a picture before it is fitted.
package enum TrimRule: String, CaseIterable, Hashable, Sendable {
    case none
    /// Margins that are transparent or of one colour.
    case auto
    /// Margins that are transparent.
    case transparent
}

/// How small pictures are enlarged.
package enum EnlargeRule: String, CaseIterable, Hashable, Sendable {
    /// With a cubic kernel.
    case smooth
    /// With narrow edges where the picture is small and of few colours; pictures with fewer than
    /// `Enlargement.tinySide` pixels are enlarged to twice their size at most.
    case sharp
}

/// How large pictures are drawn beside each other.
package enum BalanceRule: String, CaseIterable, Hashable, Sendable {
    /// As large as fits.
    case none
    /// So that their outlines have one area, as far as that fits.
    case optical
}

/// Which background a picture stands on.
package enum BackgroundRule: String, CaseIterable, Hashable, Sendable {
    /// That of its appearance.
    case appearance
    /// The first of several on which it is legible.
    case auto
    /// That of the picture where it brings one along, else that of its appearance.
    case own
    /// The picture's own one, else the one on which most of the picture shows.
    case shown
}

/// The background on which a picture came to stand, and why.
package struct BackgroundChoice: Hashable, Sendable {
    /// Why it was taken.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        /// It is the first of the list.
        case first
        /// The picture has too little contrast on those before it.
        case lowContrast = "low-contrast"
        /// The picture has too little contrast on all of them: the first was taken.
        case none
    }

    /// The colour scheme of the emblems that it holds for.
    package let scheme: ColorScheme
    package let appearance: EmblemAppearance
    /// The scheme whose colours of the appearance are worn.
    package let colors: ColorScheme
    package let reason: Reason

    package init(
        scheme: ColorScheme, appearance: EmblemAppearance, colors: ColorScheme, reason: Reason
    ) {
        self.scheme = scheme
        self.appearance = appearance
        self.colors = colors
        self.reason = reason
    }
}
