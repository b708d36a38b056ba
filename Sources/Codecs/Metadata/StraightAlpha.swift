import Raster

/// Premultiplied pixels back to straight ones, for encoders that want those.
enum StraightAlpha {
    /// 255 / alpha in 24 binary places, so that a division becomes a product.
    private static let reciprocals: [UInt32] = (0...255).map { (alpha: UInt32) in
        let whole: UInt32 = 255 << 24
        return alpha == 0 ? 0 : (whole + alpha / 2) / alpha
    }

    /// Copies pixels of the same size and divides each colour by its alpha, to the nearest value.
    static func copy(_ buffer: borrowing PixelBuffer, into straight: inout PixelBuffer) {
        let count = min(buffer.size.area, straight.size.area)
        unsafe reciprocals.withUnsafeBufferPointer { table in
            unsafe buffer.withUnsafePixels { source in
                unsafe straight.withUnsafeMutablePixels { target in
                    for index in 0..<count {
                        let from = unsafe source + index * 4
                        let to = unsafe target + index * 4
                        let alpha = unsafe from[3]
                        let factor = unsafe UInt64(table[Int(alpha)])
                        for channel in 0..<3 {
                            let value = unsafe UInt64(from[channel]) * factor + 1 << 23
                            unsafe to[channel] = UInt8(truncatingIfNeeded: min(255, value >> 24))
                        }
                        unsafe to[3] = alpha
                    }
                }
            }
        }
    }
}
