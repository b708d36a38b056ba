import Raster
import System

/// The corner masks of a run, each computed once and shared by all who draw.
///
/// A run knows a handful of sizes; with `--width auto` there are as many as pictures.
package final class MaskCache: Sendable {
    package static let countLimit = 512

    private struct Key: Hashable {
        var size: PixelSize
        var radius: Double
        var style: CornerStyle
        var inset: Double
    }

    private let masks = BoundedCache<Key, CornerMask>(countLimit: countLimit)

    package init() {}

    /// The mask of these measures.
    package func mask(
        _ size: PixelSize, radius: Double, style: CornerStyle, inset: Double = 0
    ) -> CornerMask {
        masks.value(for: Key(size: size, radius: radius, style: style, inset: inset)) {
            CornerMask(size: size, radius: radius, style: style, inset: inset)
        }
    }

    /// The number of masks that are held.
    package var count: Int { masks.count }
}
