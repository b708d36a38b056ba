import Raster
import Synchronization

/// The corner masks of a run, each computed once and shared by all who draw.
///
/// A run knows a handful of sizes; with `--width auto` there are as many as pictures, so the store
/// is emptied when it has grown past its bound.
package final class Stencils: Sendable {
    package static let bound = 512

    private struct Key: Hashable {
        var size: PixelSize
        var radius: Double
        var style: CornerStyle
        var inset: Double
    }

    private let masks = Mutex<[Key: CornerMask]>([:])

    package init() {}

    /// The mask of these measures.
    package func mask(
        _ size: PixelSize, radius: Double, style: CornerStyle, inset: Double = 0
    ) -> CornerMask {
        let key = Key(size: size, radius: radius, style: style, inset: inset)
        if let mask = masks.withLock({ $0[key] }) { return mask }
        // Outside of the lock: two threads may both compute it, and get the same.
        let mask = CornerMask(size: size, radius: radius, style: style, inset: inset)
        masks.withLock { masks in
            if masks.count >= Self.bound { masks.removeAll(keepingCapacity: true) }
            masks[key] = mask
        }
        return mask
    }

    /// The number of masks that are held.
    package var count: Int { masks.withLock { $0.count } }
}
