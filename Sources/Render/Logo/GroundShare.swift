import Raster

/// The part of a logo that shows on a ground.
///
/// Only the edge between the logo and transparency needs a ground: a white letter inside a blue
/// disc shows on every ground. Each place of the edge is read a few pixels inwards, so that a thin
/// outline does not hide the shape inside it. The weight of a colour is the square root of the
/// number of its places, so that a white word next to a large mark counts.
struct GroundShare {
    /// A group of adjacent places on the edge that have the same colours.
    private struct Entry {
        /// The colours from the edge inwards, as indices of `colors` of nine bits each. The
        /// outermost colour is in the lowest bits.
        var path: UInt64
        /// The number of colours in `path`.
        var depth: Int
        /// The shape is deeper than `reach`, so it is neither a line nor a letter.
        var isSolid: Bool
        var count = 1

        /// The outermost colour.
        var color: Int { Int(path & 511) }
    }

    /// The visibility of a colour on a ground.
    private struct Standing {
        var contrast = 1.0
        /// The hue differs enough for a solid shape to show at any contrast.
        var differsInHue = false
    }

    private var colors = [Color?](repeating: nil, count: 512)
    private var entries: [Entry] = []
    /// The weight of one place by its outermost colour; the weights of all places add up to 1.
    private var weights = [Double](repeating: 0, count: 512)

    /// The least contrast at which a solid shape shows.
    private static let contrast = 1.7
    /// The least contrast at which letters and lines show.
    private static let thinContrast = 2.4
    /// The least chroma of a strong hue, and its least difference from the ground in one channel.
    private static let strongHue = 96
    /// The least chroma of a ground that is not grey. Every hue differs from a grey ground.
    private static let leastChroma = 40
    /// The contrast from which a colour counts as fully clear.
    private static let fullContrast = 4.5
    /// The number of pixels that are read from the edge inwards.
    private static let reach = 6
    /// The least share of a colour in all places. Rarer colours are blends of two others and do
    /// not count.
    private static let leastShare = 0.04

    init(_ picture: borrowing PixelBuffer) {
        let boxes = collectColors(picture)
        let (width, height) = (picture.width, picture.height)
        for y in 0..<height {
            enter(boxes, from: y * width, by: 1, count: width)
            enter(boxes, from: y * width + width - 1, by: -1, count: width)
        }
        for x in 0..<width {
            enter(boxes, from: x, by: width, count: height)
            enter(boxes, from: x + (height - 1) * width, by: -width, count: height)
        }
        var counts = [Int](repeating: 0, count: 512)
        for entry in entries { counts[entry.color] += entry.count }
        let least = Self.leastShare * Double(counts.reduce(0, +))
        // If every colour is rarer than that, as in a gradient, all colours count.
        let isVaried = !counts.contains { Double($0) >= least }
        let roots = counts.map { isVaried || Double($0) >= least ? Double($0).squareRoot() : 0 }
        let sum = roots.reduce(0, +)
        for (color, count) in counts.enumerated() where roots[color] > 0 {
            weights[color] = roots[color] / sum / Double(count)
        }
    }

    /// Returns the share of the logo that shows on `ground`, 0 to 1; 1 if no place needs a ground.
    func share(on ground: Color) -> Double {
        measure(on: ground) { standing, isSolid in
            let least = isSolid ? Self.contrast : Self.thinContrast
            return standing.contrast >= least || isSolid && standing.differsInHue ? 1 : 0
        }
    }

    /// Returns the mean clarity of the logo on `ground`, 0 to 1. It decides between grounds on which
    /// the same share shows.
    func clarity(on ground: Color) -> Double {
        measure(on: ground) { standing, _ in
            (min(standing.contrast, Self.fullContrast) - 1) / (Self.fullContrast - 1)
        }
    }

    private func measure(on ground: Color, _ value: (Standing, Bool) -> Double) -> Double {
        guard entries.contains(where: { weights[$0.color] > 0 }) else { return 1 }
        let standings = colors.map { color in
            color.map { Self.standing(of: $0, on: ground) } ?? Standing()
        }
        var sum = 0.0
        for entry in entries where weights[entry.color] > 0 {
            var best = 0.0
            for step in 0..<entry.depth {
                let color = Int(entry.path >> UInt64(step * 9) & 511)
                best = max(best, value(standings[color], entry.isSolid))
            }
            sum += weights[entry.color] * Double(entry.count) * best
        }
        return sum
    }

    private static func standing(of color: Color, on ground: Color) -> Standing {
        let channels = [color.red, color.green, color.blue].map { Int($0) }
        let others = [ground.red, ground.green, ground.blue].map { Int($0) }
        let distance = zip(channels, others).map { abs($0 - $1) }.max() ?? 0
        let isOtherHue =
            chroma(others) < leastChroma
            || channels.firstIndex(of: channels.max() ?? 0)
                != others.firstIndex(of: others.max() ?? 0)
        return Standing(
            contrast: color.contrast(against: ground),
            differsInHue: isOtherHue && distance >= strongHue && chroma(channels) >= strongHue)
    }

    private static func chroma(_ channels: [Int]) -> Int {
        (channels.max() ?? 0) - (channels.min() ?? 0)
    }

    /// Sorts the visible pixels into 512 boxes of the colour cube and keeps the mean colour of each
    /// box. Returns the box of each pixel; -1 for a transparent pixel.
    private mutating func collectColors(_ picture: borrowing PixelBuffer) -> [Int] {
        let pixels = picture.pixels
        var boxes = [Int](repeating: -1, count: picture.size.area)
        var sums = [(red: Int, green: Int, blue: Int, count: Int)](
            repeating: (0, 0, 0, 0), count: 512)
        for index in boxes.indices {
            let alpha = Int(pixels[index * 4 + 3])
            guard alpha >= 128 else { continue }
            let red = min(255, Int(pixels[index * 4]) * 255 / alpha)
            let green = min(255, Int(pixels[index * 4 + 1]) * 255 / alpha)
            let blue = min(255, Int(pixels[index * 4 + 2]) * 255 / alpha)
            let box = (red >> 5) << 6 | (green >> 5) << 3 | blue >> 5
            boxes[index] = box
            sums[box] = (
                sums[box].red + red, sums[box].green + green, sums[box].blue + blue,
                sums[box].count + 1
            )
        }
        for (box, sum) in sums.enumerated() where sum.count > 0 {
            colors[box] = Color(
                red: UInt8(sum.red / sum.count), green: UInt8(sum.green / sum.count),
                blue: UInt8(sum.blue / sum.count))
        }
        return boxes
    }

    /// Adds an entry at the start of each run of visible pixels in one row or column.
    private mutating func enter(_ boxes: [Int], from start: Int, by step: Int, count: Int) {
        var index = 0
        while index < count {
            guard boxes[start + index * step] >= 0 else {
                index += 1
                continue
            }
            let first = index
            while index < count, boxes[start + index * step] >= 0 { index += 1 }
            let depth = min(index - first, Self.reach)
            var path: UInt64 = 0
            for place in 0..<depth {
                path |= UInt64(boxes[start + (first + place) * step]) << UInt64(place * 9)
            }
            let isSolid = index - first > Self.reach
            if let last = entries.last, last.path == path, last.depth == depth,
                last.isSolid == isSolid
            {
                entries[entries.count - 1].count += 1
            } else {
                entries.append(Entry(path: path, depth: depth, isSolid: isSolid))
            }
        }
    }
}
