import Raster

/// Computes how much of a logo is visible on a background colour, the ground.
///
/// Only the edge between the logo and transparency needs contrast: a white letter inside a blue
/// disc is visible on every ground. From each edge pixel a few pixels are read inwards, so that a
/// thin outline does not hide the shape inside it. The weight of a colour is the square root of the
/// number of its edge pixels, so that a white word next to a large mark counts.
struct GroundShare {
    /// The mean colour of each of 512 boxes of the colour cube; nil for an empty box.
    private var colors: [Color?] = []
    /// The numbers of edge pixels with the same colours from the edge inwards.
    private var paths: [(path: Path, count: Int)] = []
    /// The weight of one edge pixel, by the box of its outermost colour; the weights of all edge
    /// pixels add up to 1.
    private var weights = [Double](repeating: 0, count: 512)

    /// The least contrast at which a solid shape is visible.
    private static let contrast = 1.7
    /// The least contrast at which letters and lines are visible.
    private static let thinContrast = 2.4
    /// The least chroma of a strong hue, and its least difference from the ground in one channel.
    private static let strongHue = 96
    /// The least chroma of a ground that is not grey. Every hue differs from a grey ground.
    private static let leastChroma = 40
    /// The contrast from which a colour counts as fully clear.
    private static let fullContrast = 4.5
    /// The least share of a colour in all edge pixels. Rarer colours are blends of two others and
    /// do not count.
    private static let leastShare = 0.04

    /// The boxes of the colours from an edge pixel inwards, the outermost in the lowest bits.
    private struct Path: Equatable {
        private(set) var boxes: UInt64 = 0
        private(set) var depth = 0
        /// Whether the shape is deeper than `reach`, so that it is neither a line nor a letter.
        var isSolid = false

        /// The number of pixels that are read from the edge inwards.
        static let reach = 6

        var color: Int { self[0] }

        subscript(_ step: Int) -> Int { Int(boxes >> UInt64(step * 9) & 511) }

        mutating func append(_ box: Int) {
            boxes |= UInt64(box) << UInt64(depth * 9)
            depth += 1
        }
    }

    /// - Parameter mask: the visible pixels.
    init(_ picture: borrowing PixelBuffer, _ mask: AlphaMask) {
        var boxes = ColorBoxes()
        enter(picture, mask, &boxes)
        colors = boxes.means
        var counts = [Int](repeating: 0, count: 512)
        for (path, count) in paths { counts[path.color] += count }
        let least = Self.leastShare * Double(counts.reduce(0, +))
        // If every colour is rarer than `leastShare`, as in a gradient, all colours count.
        let isVaried = !counts.contains { Double($0) >= least }
        let roots = counts.map { isVaried || Double($0) >= least ? Double($0).squareRoot() : 0 }
        let sum = roots.reduce(0, +)
        for (color, count) in counts.enumerated() where roots[color] > 0 {
            weights[color] = roots[color] / sum / Double(count)
        }
        paths.removeAll { weights[$0.path.color] == 0 }
    }

    /// Returns the share of the logo that is visible on `ground`, 0 to 1; 1 if the logo has no
    /// edge.
    func share(on ground: Color) -> Double {
        measure { color, isSolid in
            let least = isSolid ? Self.contrast : Self.thinContrast
            return color.contrast(against: ground) >= least
                || isSolid && Self.differInHue(color, ground) ? 1 : 0
        }
    }

    /// Returns the mean clarity of the logo on `ground`, 0 to 1. It decides between grounds on
    /// which the same share is visible.
    func clarity(on ground: Color) -> Double {
        measure { color, _ in
            (min(color.contrast(against: ground), Self.fullContrast) - 1) / (Self.fullContrast - 1)
        }
    }

    /// Returns the weighted sum over all edge pixels of the best `value` among the colours of their
    /// paths.
    private func measure(_ value: (Color, _ isSolid: Bool) -> Double) -> Double {
        guard !paths.isEmpty else { return 1 }
        let thin = colors.map { color in color.map { value($0, false) } ?? 0 }
        let solid = colors.map { color in color.map { value($0, true) } ?? 0 }
        return paths.reduce(0) { sum, entry in
            var best = 0.0
            for step in 0..<entry.path.depth {
                let box = entry.path[step]
                best = max(best, entry.path.isSolid ? solid[box] : thin[box])
            }
            return sum + weights[entry.path.color] * Double(entry.count) * best
        }
    }

    /// Returns whether the hue of `color` differs so much from the ground that a solid shape is
    /// visible at any contrast.
    private static func differInHue(_ color: Color, _ ground: Color) -> Bool {
        let channels = SIMD3(Int(color.red), Int(color.green), Int(color.blue))
        let others = SIMD3(Int(ground.red), Int(ground.green), Int(ground.blue))
        func chroma(_ color: SIMD3<Int>) -> Int { color.max() - color.min() }
        func strongest(_ color: SIMD3<Int>) -> Int {
            (0..<3).first { color[$0] == color.max() } ?? 0
        }
        let difference = channels &- others
        return (chroma(others) < leastChroma || strongest(channels) != strongest(others))
            && max(difference.max(), -difference.min()) >= strongHue
            && chroma(channels) >= strongHue
    }

    /// Enters the path of every second edge pixel, away from each of its transparent neighbours.
    private mutating func enter(
        _ picture: borrowing PixelBuffer, _ mask: AlphaMask, _ boxes: inout ColorBoxes
    ) {
        let width = mask.width
        let pixels = picture.pixels
        // The entry of the last path in each direction, since neighbours are often alike.
        var last = SIMD4<Int>(repeating: -1)
        for y in 0..<mask.height {
            for index in 0..<mask.wordsPerRow {
                let word = mask.word(index, row: y)
                guard word != 0 else { continue }
                func neighbour(_ direction: Int) -> UInt64 {
                    switch direction {
                    case 0: word << 1 | mask.word(index - 1, row: y) >> 63
                    case 1: word >> 1 | mask.word(index + 1, row: y) << 63
                    case 2: mask.word(index, row: y - 1)
                    default: mask.word(index, row: y + 1)
                    }
                }
                for direction in 0..<4 {
                    var edge =
                        word & ~neighbour(direction) & (0x5555_5555_5555_5555 << UInt64(y & 1))
                    let (across, down) = (
                        SIMD4(1, -1, 0, 0)[direction], SIMD4(0, 0, 1, -1)[direction]
                    )
                    while edge != 0 {
                        var (x, row) = (index * 64 + edge.trailingZeroBitCount, y)
                        edge &= edge - 1
                        var path = Path()
                        while path.depth < Path.reach, mask.isVisible(x, row) {
                            path.append(boxes.enter((row * width + x) * 4, pixels))
                            x += across
                            row += down
                        }
                        path.isSolid = path.depth == Path.reach && mask.isVisible(x, row)
                        if last[direction] >= 0, paths[last[direction]].path == path {
                            paths[last[direction]].count += 1
                        } else {
                            last[direction] = paths.count
                            paths.append((path, 1))
                        }
                    }
                }
            }
        }
    }
}

/// The 512 boxes of the colour cube, with the mean colour of the pixels that were entered in each.
private struct ColorBoxes {
    /// The sums of red, green and blue, and the number of pixels.
    private var sums = [SIMD4<UInt32>](repeating: .zero, count: 512)

    /// Enters the pixel at this offset, and returns the number of its box.
    mutating func enter(_ offset: Int, _ pixels: borrowing Span<UInt8>) -> Int {
        let alpha = UInt32(pixels[offset + 3])
        var color = SIMD4<UInt32>(
            UInt32(pixels[offset]), UInt32(pixels[offset + 1]), UInt32(pixels[offset + 2]), 1)
        if alpha < 255 {
            for channel in 0..<3 { color[channel] = min(255, color[channel] * 255 / alpha) }
        }
        let box = Int((color[0] >> 5) << 6 | (color[1] >> 5) << 3 | color[2] >> 5)
        sums[box] &+= color
        return box
    }

    var means: [Color?] {
        sums.map { sum in
            guard sum[3] > 0 else { return nil }
            return Color(
                red: UInt8(sum[0] / sum[3]), green: UInt8(sum[1] / sum[3]),
                blue: UInt8(sum[2] / sum[3]))
        }
    }
}
