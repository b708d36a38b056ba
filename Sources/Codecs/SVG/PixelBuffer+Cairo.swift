import Raster

extension PixelBuffer {
    /// Turns cairo's pixels, one native word of alpha, red, green and blue, into ours in place,
    /// and notes whether all of them are opaque.
    package mutating func swizzleFromCairo() {
        let count = size.area
        let least = unsafe withUnsafeMutablePixels { base in
            unsafe base.withMemoryRebound(to: UInt32.self, capacity: count) { words in
                var alphas = UInt32.max
                for index in 0..<count {
                    let word = unsafe words[index]
                    alphas &= word
                    #if _endian(little)
                        let swapped = word & 0x00FF_00FF
                        unsafe words[index] =
                            word & 0xFF00_FF00 | swapped << 16 | swapped >> 16
                    #else
                        unsafe words[index] = word << 8 | word >> 24
                    #endif
                }
                return alphas
            }
        }
        isOpaque = least >> 24 == 0xFF
    }
}
