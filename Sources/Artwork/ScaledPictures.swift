import Raster

/// One picture at the sizes to which it was scaled already: small at 2 is as high as extra large at
/// 1, and a dark emblem shows what the light one does.
package struct ScaledPictures {
    private struct Key: Hashable {
        let size: PixelSize
        let visible: PixelRect?
        let linear: Bool
    }

    private final class Kept: Sendable {
        let pixels: PixelBuffer

        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private var kept: [Key: Kept] = [:]
    private let isKeeping: Bool

    /// Larger ones are seldom wanted twice; together the rest are two megabytes.
    private static let bytesLimit = 256 << 10
    private static let countLimit = 8

    /// - Parameter isKeeping: false where no size will be asked for again.
    package init(isKeeping: Bool) { self.isKeeping = isKeeping }

    /// How many are kept.
    package var count: Int { kept.count }

    /// The part `visible` of the picture at `size`: the one kept, or what `make` makes.
    mutating func picture(
        _ size: PixelSize, visible: PixelRect?, linear: Bool, make: () -> PixelBuffer
    ) -> PixelBuffer {
        guard isKeeping else { return make() }
        let key = Key(size: size, visible: visible, linear: linear)
        if let known = kept[key] { return known.pixels.copy() }
        let made = make()
        if made.size.byteCount <= Self.bytesLimit, kept.count < Self.countLimit {
            kept[key] = Kept(made.copy())
        }
        return made
    }
}
