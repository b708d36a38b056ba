import Raster

extension PixelBuffer {
    /// Returns a canvas with the picture at `x`, `y`. Pixels that the picture does not cover take
    /// its nearest opaque colour, so that its ground extends to all sides and under its round
    /// corners.
    ///
    /// - Parameter ground: the colour that replaces every other colour at the edge; nil extends each
    ///   colour as it is. With a colour the edge is averaged, over more pixels with growing
    ///   distance, so that small differences such as the noise of a JPEG show no lines.
    func extended(
        on canvas: PixelSize, x left: Int, y top: Int, ground: Color?
    ) -> PixelBuffer {
        var result = PixelBuffer(unwritten: canvas)
        let (width, height) = (self.width, self.height)
        let (right, bottom) = (width - 1, height - 1)
        let pixels = pixels
        func edgeColor(_ x: Int, _ y: Int, _ axis: Axis? = nil) -> Color {
            let offset = opaquePixel(from: x, y, axis)
            let color = Color(
                red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2])
            if let ground, LogoRing.differ(color, ground) { return ground }
            return color
        }
        let sides = [0, right].map { x in
            EdgeColors((0...bottom).map { edgeColor(x, $0, .row) })
        }
        let ends = [0, bottom].map { y in
            EdgeColors((0...right).map { edgeColor($0, y, .column) })
        }
        do {
            var target = result.mutablePixels
            for y in 0..<canvas.height {
                let row = min(max(y - top, 0), bottom)
                for x in 0..<canvas.width {
                    let column = min(max(x - left, 0), right)
                    let (across, down) = (x - left - column, y - top - row)
                    // The picture is drawn over its opaque pixels.
                    if across == 0, down == 0, pixels[(row * width + column) * 4 + 3] == 255 {
                        continue
                    }
                    let reach = ground == nil ? 0 : max(abs(across), abs(down)) / 4
                    let color =
                        if across == 0, down == 0 {
                            edgeColor(column, row)
                        } else if abs(across) >= abs(down) {
                            sides[across < 0 ? 0 : 1].mean(around: row, reach: reach)
                        } else {
                            ends[down < 0 ? 0 : 1].mean(around: column, reach: reach)
                        }
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

    private enum Axis { case row, column }

    /// Returns the offset of the first opaque pixel on an axis or, at a round corner and without an
    /// axis, in the direction of the middle.
    private func opaquePixel(from x: Int, _ y: Int, _ axis: Axis?) -> Int {
        let pixels = pixels
        let (across, down) = (width / 2 - x, height / 2 - y)
        func search(_ across: Int, _ down: Int, depth: Int) -> Int? {
            let steps = max(abs(across), abs(down), 1)
            for step in 0...min(depth, steps) {
                let (column, row) = (x + across * step / steps, y + down * step / steps)
                let offset = (row * width + column) * 4
                if pixels[offset + 3] >= 250 { return offset }
            }
            return nil
        }
        // A straight soft edge is much narrower than this, and a round corner is wider.
        let depth = max(width, height) / 16 + 1
        let straight =
            switch axis {
            case .row: search(across, 0, depth: depth)
            case .column: search(0, down, depth: depth)
            case nil: Int?.none
            }
        return straight ?? search(across, down, depth: .max)
            ?? (height / 2 * width + width / 2) * 4
    }

    /// The least alpha of a layer that is not faint.
    private static let faintAlpha: UInt8 = 64

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
            least > PixelBuffer.marginTolerance, most < Int(Self.faintAlpha)
        else { return }
        var pixels = mutablePixels
        for index in 0..<area where Int(pixels[index * 4 + 3]) <= most + 2 {
            for channel in 0..<4 { pixels[index * 4 + channel] = 0 }
        }
    }
}

/// The colours along one edge of a picture, as running sums.
private struct EdgeColors {
    private var sums: [SIMD3<Int>] = [.zero]

    init(_ colors: [Color]) {
        for color in colors {
            sums.append(
                (sums.last ?? .zero) &+ SIMD3(Int(color.red), Int(color.green), Int(color.blue)))
        }
    }

    /// Returns the mean colour of a place and its neighbours up to `reach` pixels away.
    func mean(around place: Int, reach: Int) -> Color {
        let (first, end) = (max(0, place - reach), min(sums.count - 1, place + reach + 1))
        let count = end - first
        let mean = (sums[end] &- sums[first] &+ count / 2) / count
        return Color(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }
}
