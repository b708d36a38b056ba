extension PixelBuffer {
    /// The pixels as 32-bit words, for the length of `body`.
    func withUnsafeWords<Result>(_ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        unsafe withUnsafePixels { bytes in
            unsafe bytes.withMemoryRebound(to: UInt32.self, capacity: size.area, body)
        }
    }

    /// The pixels as 32-bit words to be written, for the length of `body`.
    mutating func withUnsafeMutableWords<Result>(
        _ body: (UnsafeMutablePointer<UInt32>) -> Result
    ) -> Result {
        let count = size.area
        return unsafe withUnsafeMutablePixels { bytes in
            unsafe bytes.withMemoryRebound(to: UInt32.self, capacity: count, body)
        }
    }

    /// A second buffer with the same pixels.
    package func copy() -> PixelBuffer {
        var result = PixelBuffer(unwritten: size)
        result.isOpaque = isOpaque
        result.shrinkage = shrinkage
        result.turn = turn
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { target in
                unsafe target.update(from: source, count: size.byteCount)
            }
        }
        return result
    }

    /// Sets every pixel to `color`.
    package mutating func fill(_ color: Color) {
        let word = color.premultiplied.word
        let count = size.area
        unsafe withUnsafeMutableWords { words in
            unsafe words.update(repeating: word, count: count)
        }
        isOpaque = color.alpha == 255
    }
}
