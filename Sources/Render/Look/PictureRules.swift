import Raster
import Theming

/// The distance of images from the edge of their emblem, or from its border.
package enum Padding: Hashable, Sendable {
    case points(Double)
    case percent(Double)
    /// The least distance at which the rounded corners hide no visible pixel, found for each image.
    case safe
    /// `LogoStudy.inset` of the height, measured from the round outline, for marks, wordmarks and
    /// discs; 0 for images with their own background. Only the look `logos` sets it.
    case round

    package static let none = Padding.points(0)

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

package enum BackgroundRule: Hashable, Sendable {
    case appearance
    /// The picture's own background if it has one, else the background of its appearance.
    case own
    /// The picture's own background if it has one, else the background on which most of it is
    /// visible.
    case auto
    /// One opaque colour in every scheme.
    case color(Color)
}
