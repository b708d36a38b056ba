import Raster

extension PixelBuffer {
    /// Returns a canvas with the picture at `x`, `y`. Pixels that the picture does not cover take
    /// its nearest opaque colour, so that its ground extends to all sides and under its round
    /// corners.
    ///
    /// - Parameter ground: the colour that replaces every other colour at the edge; nil extends
    ///   each colour as it is.
    func extended(
        on canvas: PixelSize, x left: Int, y top: Int, ground: Color? = nil
    ) -> PixelBuffer {
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
                    var color = Color(
                        red: source[from], green: source[from + 1], blue: source[from + 2])
                    if let ground, LogoRing.differ(color, ground) { color = ground }
                    let offset = (y * canvas.width + x) * 4
                    target[offset] = color.red
                    target[offset + 1] = color.green
                    target[offset + 2] = color.blue
                    target[offset + 3] = 255
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

    /// Clears the pixels that are at most `depth` pixels away from a transparent pixel or from the
    /// outside of the picture.
    mutating func clearEdge(_ depth: Int) {
        let (width, height) = (self.width, self.height)
        let far = UInt16(min(depth, 16_384) + 1)
        // The distances have a margin of one pixel around the picture.
        let stride = width + 2
        var distances = [UInt16](repeating: 0, count: stride * (height + 2))
        var pixels = mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                let place = (y + 1) * stride + x + 1
                guard pixels[(y * width + x) * 4 + 3] >= LogoStudy.leastAlpha else {
                    distances[place] = 0
                    continue
                }
                let above = min(
                    distances[place - stride - 1], distances[place - stride],
                    distances[place - stride + 1])
                distances[place] = min(far, min(above, distances[place - 1]) + 1)
            }
        }
        for y in (0..<height).reversed() {
            for x in (0..<width).reversed() {
                let place = (y + 1) * stride + x + 1
                let below = min(
                    distances[place + stride - 1], distances[place + stride],
                    distances[place + stride + 1])
                distances[place] = min(
                    distances[place], min(below, distances[place + 1]) + 1)
                guard distances[place] < far else { continue }
                for channel in 0..<4 { pixels[(y * width + x) * 4 + channel] = 0 }
            }
        }
        isOpaque = false
    }

    private var cornerAlphas: [Int] {
        let pixels = pixels
        return [0, width - 1, size.area - width, size.area - 1].map { Int(pixels[$0 * 4 + 3]) }
    }

    /// Clears a faint, even layer behind the picture, as some programs leave it: every pixel that is
    /// no more visible than the four corners.
    mutating func clearFaintLayer() {
        guard !isOpaque else { return }
        let area = size.area
        let corners = cornerAlphas
        guard let least = corners.min(), let most = corners.max(), most - least <= 2,
            least > PixelBuffer.marginTolerance, most < Int(LogoInk.leastAlpha)
        else { return }
        var pixels = mutablePixels
        for index in 0..<area where Int(pixels[index * 4 + 3]) <= most + 2 {
            for channel in 0..<4 { pixels[index * 4 + channel] = 0 }
        }
    }
}
