import Raster

/// The pixels of a picture as PNG stores them: colours not multiplied by alpha.
///
/// Premultiplying them again gives the very picture they came from.
@safe
struct PNGStraightPixels: ~Copyable {
    let size: PixelSize
    /// Red in the lowest byte; fully transparent pixels are zero.
    let base: UnsafeMutablePointer<UInt32>
    let isOpaque: Bool
    let isGrey: Bool

    init(_ picture: borrowing PixelBuffer) {
        size = picture.size
        let count = picture.size.area
        unsafe base = .allocate(capacity: count)
        (isOpaque, isGrey) = unsafe picture.withUnsafePixels { [base] source in
            unsafe Self.divide(UnsafeRawPointer(source), to: base, count: count)
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    var count: Int { size.area }

    private static func divide(
        _ source: UnsafeRawPointer, to result: UnsafeMutablePointer<UInt32>, count: Int
    ) -> (isOpaque: Bool, isGrey: Bool) {
        var alphas = UInt32.max
        var differences: UInt32 = 0
        unsafe reciprocals.withUnsafeBufferPointer { reciprocals in
            for index in 0..<count {
                var pixel = unsafe source.loadUnaligned(
                    fromByteOffset: index &* 4, as: UInt32.self)
                let alpha = pixel &>> 24
                alphas &= pixel
                if (alpha &+ 1) & 0xFF <= 1 {
                    pixel = alpha == 0 ? 0 : pixel
                } else {
                    let reciprocal = unsafe reciprocals[Int(alpha)]
                    pixel =
                        channel(pixel & 0xFF, reciprocal)
                        | channel(pixel &>> 8 & 0xFF, reciprocal) &<< 8
                        | channel(pixel &>> 16 & 0xFF, reciprocal) &<< 16 | alpha &<< 24
                }
                differences |= pixel ^ pixel &>> 8
                unsafe result[index] = pixel
            }
        }
        return (alphas &>> 24 == 255, differences & 0xFFFF == 0)
    }

    /// 255 / alpha with 24 bits behind the point, rounded up.
    private static let reciprocals: [UInt32] = (0..<256).map { (alpha: UInt32) -> UInt32 in
        let one: UInt32 = 255 << 24
        return alpha == 0 ? 0 : (one + alpha - 1) / alpha
    }

    /// The nearest byte of 255 value / alpha.
    @inline(__always)
    private static func channel(_ value: UInt32, _ reciprocal: UInt32) -> UInt32 {
        let quotient = (UInt64(value) &* UInt64(reciprocal) &+ 1 &<< 23) &>> 24
        return UInt32(truncatingIfNeeded: min(quotient, 255))
    }
}
