extension CornerMask {
    /// Whether it takes something off a visible pixel of a picture whose corner lies at `x`, `y`.
    package func cuts(_ picture: borrowing PixelBuffer, x: Int, y: Int) -> Bool {
        let pixels = picture.pixels
        let stride = picture.width
        func cuts(_ column: Int, _ row: Int) -> Bool {
            pixels[(row * stride + column) * 4 + 3] >= Legibility.leastAlpha
                && coverage(x: x + column, y: y + row) < 255
        }
        for row in 0..<picture.height {
            let edge = self.row(at: y + row)
            // Between these nothing is cut, unless the whole row is.
            let isCut = edge.interior < 255
            let left = isCut ? stride : edge.count - x
            let right = isCut ? stride : size.width - edge.count - x
            for column in 0..<max(0, min(stride, left)) where cuts(column, row) { return true }
            for column in max(0, right)..<max(stride, right) where cuts(column, row) { return true }
        }
        return false
    }

    /// The least inset at which a rectangle as wide and high as the mask is not cut.
    package var safeInset: Int {
        let half = min(size.width, size.height) / 2
        return (0..<half).first { coverage(x: $0, y: $0) == 255 } ?? half
    }
}
