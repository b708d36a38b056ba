import Raster
import System

/// The corner masks of a run, computed once and shared by all threads.
///
/// A run uses a few sizes, except with `--width auto`, where each picture can have its own.
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

    package func mask(
        _ size: PixelSize, radius: Double, style: CornerStyle, inset: Double = 0
    ) -> CornerMask {
        masks.value(for: Key(size: size, radius: radius, style: style, inset: inset)) {
            CornerMask(size: size, radius: radius, style: style, inset: inset)
        }
    }

    package var count: Int { masks.count }
}
