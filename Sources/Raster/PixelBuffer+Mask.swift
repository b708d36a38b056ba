extension PixelBuffer {
    /// Cuts the corners (and the inset) off: every pixel is multiplied by its coverage.
    package mutating func mask(by mask: CornerMask) {
        precondition(mask.size == size, "A mask has the size of its picture.")
        guard !mask.isFull else { return }
        unsafe touch(mask) { pixel, coverage in
            guard coverage < 255 else { return }
            for channel in 0..<4 {
                unsafe pixel[channel] = product255(pixel[channel], coverage)
            }
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
            return front.premultiplied
        }
        unsafe touch(mask) { pixel, coverage in
            let front = fronts[Int(coverage)]
            let rest = 255 - front.alpha
            unsafe pixel[0] = front.red + product255(pixel[0], rest)
            unsafe pixel[1] = front.green + product255(pixel[1], rest)
            unsafe pixel[2] = front.blue + product255(pixel[2], rest)
            unsafe pixel[3] = front.alpha + product255(pixel[3], rest)
        }
    }

    /// Visits the pixels that a mask does not fully cover, each once.
    @inline(__always)
    private mutating func touch(
        _ mask: CornerMask, _ body: (UnsafeMutablePointer<UInt8>, UInt8) -> Void
    ) {
        let (width, height) = (self.width, self.height)
        unsafe withUnsafeMutablePixels { bytes in
            for y in 0..<height {
                let row = mask.row(at: y)
                let line = unsafe bytes + y * width * 4
                for index in 0..<row.count {
                    let coverage = mask.coverages[row.first + index]
                    unsafe body(line + index * 4, coverage)
                    let mirrored = width - 1 - index
                    if mirrored > index { unsafe body(line + mirrored * 4, coverage) }
                }
                if row.interior < 255 && row.count < width - row.count {
                    for x in row.count..<(width - row.count) {
                        unsafe body(line + x * 4, row.interior)
                    }
                }
            }
        }
    }
}
