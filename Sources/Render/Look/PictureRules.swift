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
    /// For marks, names and discs: `LogoStudy.inset` of the height from the round outline. None for
    /// pictures with their own ground.
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

/// The rule for enlarging small pictures.
package enum EnlargeRule: String, CaseIterable, Hashable, Sendable {
    /// A cubic kernel enlarges every picture.
    case smooth
    /// Small pictures of few colours keep narrow edges. Pictures with fewer than
    /// `Enlargement.tinySide` pixels are enlarged to at most twice their size.
    case sharp
}

/// The rule for the size of pictures next to each other.
package enum BalanceRule: String, CaseIterable, Hashable, Sendable {
    /// As large as fits.
    case none
    /// All outlines have the same area, as far as that fits.
    case optical
}

/// The rule for the background of a picture.
package enum BackgroundRule: String, CaseIterable, Hashable, Sendable {
    /// The background of its appearance.
    case appearance
    /// The first of several backgrounds on which the picture is legible.
    case auto
    /// The picture's own ground if it has one, else the background of its appearance.
    case own
    /// The picture's own ground if it has one, else the background on which most of it shows.
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
