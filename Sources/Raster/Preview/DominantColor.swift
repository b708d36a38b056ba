/// The most prominent colour of a picture.
///
/// Visible pixels, weighted by alpha, are counted in bins of 4,096 coarse colours. Each neighbour
/// of a coarse colour adds a quarter of its count, so that a shade on a boundary is not split. If
/// at least 5 % of the visible pixels are colourful, only colourful bins compete. The result is the
/// median shade of the winning bin.
package enum DominantColor {
    /// Returns the dominant colour, opaque, or nil if nothing is visible.
    ///
    /// The time grows with the number of pixels, so pictures beyond 100 x 100 are reduced first.
    package static func of(_ picture: borrowing PixelBuffer) -> Color? {
        if picture.width > ThumbHash.edgeLimit || picture.height > ThumbHash.edgeLimit {
            return dominant(ofSmall: picture.reduced(to: ThumbHash.edgeLimit))
        }
        return dominant(ofSmall: picture)
    }

    private static func dominant(ofSmall picture: borrowing PixelBuffer) -> Color? {
        let pixels = picture.pixels
        var counts = [Int](repeating: 0, count: 4096)
        var binOfPixel = [Int16](repeating: -1, count: picture.size.area)
        // The bins that occur, which are few compared with all 4,096.
        var bins: [Int] = []
        var (total, colourful) = (0, 0)
        for index in 0..<picture.size.area {
            guard let shade = straight(pixels, at: index) else { continue }
            let bin = Int(shade.red >> 4) << 8 | Int(shade.green >> 4) << 4 | Int(shade.blue >> 4)
            if counts[bin] == 0 { bins.append(bin) }
            counts[bin] += Int(shade.alpha)
            binOfPixel[index] = Int16(bin)
            total += Int(shade.alpha)
        }
        guard total > 0 else { return nil }

        for bin in bins where isColourful(bin) { colourful += counts[bin] }
        let onlyColourful = colourful * 20 >= total
        var winner = 0
        var best = -1
        for bin in bins where !onlyColourful || isColourful(bin) {
            let score = weight(of: bin, in: counts)
            if score > best || score == best && bin < winner { (winner, best) = (bin, score) }
        }
        return median(of: winner, binOfPixel, pixels)
    }

    /// Returns the pixel's straight colour, or nil if it is invisible.
    private static func straight(_ pixels: borrowing Span<UInt8>, at index: Int) -> Color? {
        let alpha = Int(pixels[index * 4 + 3])
        guard alpha > 0 else { return nil }
        if alpha == 255 {
            return Color(
                red: pixels[index * 4], green: pixels[index * 4 + 1], blue: pixels[index * 4 + 2])
        }
        func channel(_ offset: Int) -> UInt8 {
            UInt8(min(255, (Int(pixels[index * 4 + offset]) * 255 + alpha / 2) / alpha))
        }
        return Color(red: channel(0), green: channel(1), blue: channel(2), alpha: UInt8(alpha))
    }

    /// Whether the bin is far enough from grey to be named as a colour.
    private static func isColourful(_ bin: Int) -> Bool {
        let (red, green, blue) = (bin >> 8, bin >> 4 & 15, bin & 15)
        return max(red, green, blue) - min(red, green, blue) >= 4
    }

    /// Returns four times the count of a bin, plus the counts of its neighbours.
    private static func weight(of bin: Int, in counts: [Int]) -> Int {
        var sum = counts[bin] * 4
        for shift in [0, 4, 8] {
            let step = 1 << shift
            let level = bin >> shift & 15
            if level > 0 { sum += counts[bin - step] }
            if level < 15 { sum += counts[bin + step] }
        }
        return sum
    }

    private static func median(
        of bin: Int, _ binOfPixel: [Int16], _ pixels: borrowing Span<UInt8>
    ) -> Color {
        // 256 levels each of red, green and blue.
        var levels = [Int](repeating: 0, count: 3 * 256)
        var total = 0
        for index in binOfPixel.indices where binOfPixel[index] == Int16(bin) {
            guard let shade = straight(pixels, at: index) else { continue }
            levels[Int(shade.red)] += Int(shade.alpha)
            levels[256 + Int(shade.green)] += Int(shade.alpha)
            levels[512 + Int(shade.blue)] += Int(shade.alpha)
            total += Int(shade.alpha)
        }
        func middle(_ first: Int) -> UInt8 {
            var sum = 0
            for level in UInt8.min..<UInt8.max {
                sum += levels[first + Int(level)]
                if sum * 2 >= total { return level }
            }
            return UInt8.max
        }
        return Color(red: middle(0), green: middle(256), blue: middle(512))
    }
}
