import Raster

extension PixelBuffer {
    /// Returns a canvas with the picture at `x`, `y`. Pixels that the picture does not cover take
    /// its nearest opaque colour, so that its ground extends to all sides and under its round
    /// corners.
    func extended(on canvas: PixelSize, x left: Int, y top: Int) -> PixelBuffer {
        var result = PixelBuffer(unwritten: canvas)
        let (width, height) = (self.width, self.height)
        let source = pixels
        do {
            var target = result.mutablePixels
            for y in 0..<canvas.height {
                let row = min(max(y - top, 0), height - 1)
                for x in 0..<canvas.width {
                    let column = min(max(x - left, 0), width - 1)
                    let from = opaquePixel(from: column, row)
                    for channel in 0..<3 {
                        target[(y * canvas.width + x) * 4 + channel] = source[from + channel]
                    }
                    target[(y * canvas.width + x) * 4 + 3] = 255
                }
            }
        }
        result.isOpaque = true
        result.draw(self, x: left, y: top)
        return result
    }

    /// Returns the offset of the first opaque pixel between a point and the middle. If the point
    /// itself is not opaque, the search goes one pixel further, past the soft edge.
    private func opaquePixel(from x: Int, _ y: Int) -> Int {
        let pixels = pixels
        func offset(_ x: Int, _ y: Int) -> Int { (y * width + x) * 4 }
        guard pixels[offset(x, y) + 3] < 250 else { return offset(x, y) }
        let (across, down) = (width / 2 - x, height / 2 - y)
        let steps = max(abs(across), abs(down), 1)
        for step in 1...steps {
            let found = offset(x + across * step / steps, y + down * step / steps)
            guard pixels[found + 3] >= 250 else { continue }
            let next = min(step + 1, steps)
            return offset(x + across * next / steps, y + down * next / steps)
        }
        return offset(width / 2, height / 2)
    }
}
