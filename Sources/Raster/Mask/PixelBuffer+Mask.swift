extension PixelBuffer {
    /// Cuts the corners (and the inset) off: every pixel is multiplied by its coverage.
    package mutating func mask(by mask: CornerMask) {
        precondition(mask.size == size, "A mask has the size of its picture.")
        guard !mask.isFull else { return }
        unsafe touch(mask) { pixel, coverage in
            let word = unsafe UInt32(littleEndian: pixel.pointee)
            unsafe pixel.pointee = UInt32(littleEndian: scaled(word, by: UInt32(coverage)))
        }
        isOpaque = false
    }

    /// Lays `color` over what lies outside of `mask`, in proportion on the edge: the border
    /// between the picture's own edge and an inset mask.
    package mutating func paint(_ color: Color, outside mask: CornerMask) {
        precondition(mask.size == size, "A mask has the size of its picture.")
        guard !mask.isFull, color.alpha > 0 else { return }
        // One entry for each coverage: the premultiplied front and what is left of the back.
        let fronts = (UInt8.min...UInt8.max).map { coverage in
            var front = color
            front.alpha = product255(color.alpha, 255 - coverage)
            return UInt32(littleEndian: front.premultiplied.word)
        }
        unsafe touch(mask) { pixel, coverage in
            let front = fronts[Int(coverage)]
            let back = unsafe scaled(
                UInt32(littleEndian: pixel.pointee), by: 255 - (front >> 24))
            unsafe pixel.pointee = UInt32(littleEndian: saturatingSum(front, back))
        }
    }

    /// Visits the pixels that a mask does not fully cover, each once.
    @inline(__always)
    private mutating func touch(
        _ mask: CornerMask, _ body: (UnsafeMutablePointer<UInt32>, UInt8) -> Void
    ) {
        let (width, height) = (self.width, self.height)
        unsafe withUnsafeMutableWords { words in
            for y in 0..<height {
                let row = mask.row(at: y)
                let line = unsafe words + y * width
                for index in 0..<row.count {
                    let coverage = mask.coverages[row.first + index]
                    unsafe body(line + index, coverage)
                    let mirrored = width - 1 - index
                    if mirrored > index { unsafe body(line + mirrored, coverage) }
                }
                if row.interior < 255 && row.count < width - row.count {
                    for x in row.count..<(width - row.count) {
                        unsafe body(line + x, row.interior)
                    }
                }
            }
        }
    }
}
