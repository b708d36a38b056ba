import Notation
import Raster
import Theming

/// The distance of images from the edge of their emblem, or from its border.
package enum Padding: Hashable, Sendable {
    case points(Double)
    case percent(Double)
    /// The least distance at which the rounded corners hide no visible pixel, found for each image.
    case safe
    /// `LogoStudy.inset` of the height, measured from the round outline, for marks, wordmarks and
    /// discs; 0 for images with their own background.
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

    /// Returns the padding in points on an emblem of this height; 0 if it depends on the image.
    package func points(ofHeight height: Double) -> Double {
        switch self {
        case .points(let points): points
        case .percent(let percent): height * percent / 100
        case .safe, .round: 0
        }
    }
}

/// The margins that are trimmed before an image is fitted.
package enum TrimRule: String, CaseIterable, Hashable, Sendable {
    case none
    case auto
    case transparent
}

package enum EnlargeRule: String, CaseIterable, Hashable, Sendable {
    /// A cubic kernel enlarges every picture.
    case smooth
    /// Small pictures of few colours keep narrow edges. If the longer side is below
    /// `Enlargement.tinySide`, a picture is enlarged at most to twice its size, or to 55 % of the
    /// emblem's height if that is larger, but never to more than 3.5 times its size.
    case sharp
}

package enum BalanceRule: String, CaseIterable, Hashable, Sendable {
    case none
    /// All outlines have the same area, as far as the images fit.
    case optical
}

package enum BackgroundRule: String, CaseIterable, Hashable, Sendable {
    case appearance
    /// The first of several backgrounds on which the picture is legible.
    case auto
    /// The picture's own background if it has one, else the background of its appearance.
    case own
    /// The picture's own background if it has one, else the background on which most of it is
    /// visible.
    case shown
}

/// The background that the rule `auto` chose for an image in one colour scheme.
package struct BackgroundChoice: Hashable, Sendable {
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The background is the first of the list.
        case first
        /// The contrast of the image is too low on all earlier backgrounds.
        case lowContrast = "low-contrast"
        /// The contrast is too low on all backgrounds, so the first one is used.
        case none
    }

    /// The colour scheme of the emblems with this background.
    package let scheme: ColorScheme
    package let appearance: EmblemAppearance
    /// The colour scheme from which the colours of `appearance` are taken.
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
