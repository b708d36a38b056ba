import Raster

/// Computes how much of a logo is visible on a background colour, the ground.
///
/// Only the edge between the logo and transparency needs contrast: a white letter inside a blue
/// disc is visible on every ground. From each edge pixel a few pixels are read inwards, so that a
/// thin outline does not hide the shape inside it. The weight of a colour is the square root of the
/// number of its edge pixels, so that a white word next to a large mark counts.
struct GroundShare {
    /// Edge pixels with the same colours from the edge inwards.
    private struct Entry {
        /// The colours from the edge inwards, as indices of `colors` of nine bits each. The
        /// outermost colour is in the lowest bits.
        var path: UInt64
        /// The number of colours in `path`.
        var depth: Int
        /// Whether the shape is deeper than `reach`, so that it is neither a line nor a letter.
        var isSolid: Bool
        var count = 1

        var color: Int { Int(path & 511) }

        func isAlike(_ other: Entry) -> Bool {
            path == other.path && depth == other.depth && isSolid == other.isSolid
        }
    }

    /// The contrast of one colour with the ground.
    private struct Visibility {
        var contrast = 1.0
        /// Whether the hue differs so much that a solid shape is visible at any contrast.
        var differsInHue = false
    }

    /// The mean colour of each of 512 boxes of the colour cube; nil for an empty box.
    private var colors: [Color?] = []
    private var entries: [Entry] = []
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
    /// The number of pixels that are read from the edge inwards.
    private static let reach = 6
    /// The least share of a colour in all edge pixels. Rarer colours are blends of two others and
    /// do not count.
    private static let leastShare = 0.04

    /// - Parameter mask: the pixels with at least `LogoStudy.leastAlpha`.
    init(_ picture: borrowing PixelBuffer, _ mask: AlphaMask) {
        var boxes = ColorBoxes()
        enter(picture, mask, &boxes)
        colors = boxes.means
        var counts = [Int](repeating: 0, count: 512)
        for entry in entries { counts[entry.color] += entry.count }
        let least = Self.leastShare * Double(counts.reduce(0, +))
        // If every colour is rarer than `leastShare`, as in a gradient, all colours count.
        let isVaried = !counts.contains { Double($0) >= least }
        let roots = counts.map { isVaried || Double($0) >= least ? Double($0).squareRoot() : 0 }
        let sum = roots.reduce(0, +)
        for (color, count) in counts.enumerated() where roots[color] > 0 {
            weights[color] = roots[color] / sum / Double(count)
        }
    }

    /// Returns the share of the logo that is visible on `ground`, 0 to 1; 1 if the logo has no
    /// edge.
    func share(on ground: Color) -> Double {
        measure(on: ground) { visibility, isSolid in
            let least = isSolid ? Self.contrast : Self.thinContrast
            return visibility.contrast >= least || isSolid && visibility.differsInHue ? 1 : 0
        }
    }

    /// Returns the mean clarity of the logo on `ground`, 0 to 1. It decides between grounds on
    /// which the same share is visible.
    func clarity(on ground: Color) -> Double {
        measure(on: ground) { visibility, _ in
            (min(visibility.contrast, Self.fullContrast) - 1) / (Self.fullContrast - 1)
        }
    }

    /// Returns the weighted sum over all edge pixels of the best `value` among the colours of their
    /// paths.
    private func measure(on ground: Color, _ value: (Visibility, Bool) -> Double) -> Double {
        guard entries.contains(where: { weights[$0.color] > 0 }) else { return 1 }
        let visibilities = colors.map { color in
            color.map { Self.visibility(of: $0, on: ground) } ?? Visibility()
        }
        var sum = 0.0
        for entry in entries where weights[entry.color] > 0 {
            var best = 0.0
            for step in 0..<entry.depth {
                let color = Int(entry.path >> UInt64(step * 9) & 511)
                best = max(best, value(visibilities[color], entry.isSolid))
            }
            sum += weights[entry.color] * Double(entry.count) * best
        }
        return sum
    }

    private static func visibility(of color: Color, on ground: Color) -> Visibility {
        let channels = [color.red, color.green, color.blue].map { Int($0) }
        let others = [ground.red, ground.green, ground.blue].map { Int($0) }
        let distance = zip(channels, others).map { abs($0 - $1) }.max() ?? 0
        let isOtherHue =
            chroma(others) < leastChroma
            || channels.firstIndex(of: channels.max() ?? 0)
                != others.firstIndex(of: others.max() ?? 0)
        return Visibility(
            contrast: color.contrast(against: ground),
            differsInHue: isOtherHue && distance >= strongHue && chroma(channels) >= strongHue)
    }

    private static func chroma(_ channels: [Int]) -> Int {
        (channels.max() ?? 0) - (channels.min() ?? 0)
    }

    /// Adds an entry for each transparent neighbour of each visible pixel, read in the direction
    /// away from that neighbour.
    private mutating func enter(
        _ picture: borrowing PixelBuffer, _ mask: AlphaMask, _ boxes: inout ColorBoxes
    ) {
        let (width, height) = (picture.width, picture.height)
        var known = [UInt16](repeating: ColorBoxes.unread, count: picture.size.area)
        var read = known.mutableSpan
        var last = SIMD4<Int>(repeating: -1)
        for y in 0..<height {
            for index in 0..<mask.wordsPerRow {
                let word = mask.word(index, row: y)
                guard word != 0 else { continue }
                let before = word << 1 | mask.word(index - 1, row: y) >> 63
                let after = word >> 1 | mask.word(index + 1, row: y) << 63
                for direction in 0..<4 {
                    let neighbour =
                        switch direction {
                        case 0: before
                        case 1: after
                        case 2: mask.word(index, row: y - 1)
                        default: mask.word(index, row: y + 1)
                        }
                    var edge = word & ~neighbour
                    while edge != 0 {
                        let x = index * 64 + edge.trailingZeroBitCount
                        edge &= edge - 1
                        let (step, room) =
                            switch direction {
                            case 0: (1, width - x)
                            case 1: (-1, x + 1)
                            case 2: (width, height - y)
                            default: (-width, y + 1)
                            }
                        let entry = Self.entry(
                            y * width + x, step, room, picture.pixels, &read, &boxes)
                        let previous = last[direction]
                        if previous >= 0, entries[previous].isAlike(entry) {
                            entries[previous].count += 1
                        } else {
                            last[direction] = entries.count
                            entries.append(entry)
                        }
                    }
                }
            }
        }
    }

    /// Returns the entry of the pixel `first`, read in steps of `step` pixels.
    ///
    /// - Parameter room: the number of pixels from `first` to the end of the picture.
    private static func entry(
        _ first: Int, _ step: Int, _ room: Int, _ pixels: borrowing Span<UInt8>,
        _ read: inout MutableSpan<UInt16>, _ boxes: inout ColorBoxes
    ) -> Entry {
        var (path, depth, pixel): (UInt64, Int, Int) = (0, 0, first)
        let most = min(reach, room)
        while depth < most, pixels[pixel * 4 + 3] >= LogoStudy.leastAlpha {
            if read[pixel] == ColorBoxes.unread { read[pixel] = boxes.enter(pixel, pixels) }
            path |= UInt64(read[pixel]) &<< UInt64(depth * 9)
            depth += 1
            pixel += step
        }
        return Entry(
            path: path, depth: depth,
            isSolid: depth == reach && room > reach
                && pixels[pixel * 4 + 3] >= LogoStudy.leastAlpha)
    }
}

/// The 512 boxes of the colour cube, with the mean colour of the pixels that were entered in each.
private struct ColorBoxes {
    /// The sums of red, green and blue, and the number of pixels.
    private var sums = [SIMD4<UInt32>](repeating: .zero, count: 512)

    /// A value that is not the number of a box, for pixels that were not read yet.
    static let unread: UInt16 = 512

    /// Enters a pixel, and returns the number of its box.
    mutating func enter(_ pixel: Int, _ pixels: borrowing Span<UInt8>) -> UInt16 {
        let alpha = UInt32(pixels[pixel * 4 + 3])
        var color = SIMD4<UInt32>(
            UInt32(pixels[pixel * 4]), UInt32(pixels[pixel * 4 + 1]),
            UInt32(pixels[pixel * 4 + 2]), 1)
        if alpha < 255 {
            for channel in 0..<3 { color[channel] = min(255, color[channel] * 255 / alpha) }
        }
        let box = (color[0] >> 5) << 6 | (color[1] >> 5) << 3 | color[2] >> 5
        sums[Int(box)] &+= color
        return UInt16(truncatingIfNeeded: box)
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
