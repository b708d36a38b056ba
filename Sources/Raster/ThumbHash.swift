/// A blurred likeness of a picture in about 25 bytes, in Evan Wallace's published format
/// (https://evanw.github.io/thumbhash): a cosine transform of lightness, yellow-blue, red-green
/// and alpha, each coefficient in four bits.
package enum ThumbHash {
    /// The format's own bound; larger pictures are reduced to it first.
    package static let edgeLimit = 100

    /// The hash of a picture, the same on every processor.
    ///
    /// Cheap for what is already small: reduce a large picture once and use it for all likenesses.
    package static func bytes(of picture: borrowing PixelBuffer) -> [UInt8] {
        if picture.width > edgeLimit || picture.height > edgeLimit {
            return bytes(ofSmall: picture.reduced(to: edgeLimit))
        }
        return bytes(ofSmall: picture)
    }

    private static func bytes(ofSmall picture: borrowing PixelBuffer) -> [UInt8] {
        let planes = Planes(picture)
        let (width, height) = (picture.width, picture.height)
        let longest = Double(max(width, height))
        let limit = planes.hasAlpha ? 5.0 : 7.0
        let across = max(1, whole(limit * Double(width) / longest))
        let down = max(1, whole(limit * Double(height) / longest))

        let l = Terms(planes.l, width, height, across: max(3, across), down: max(3, down))
        let p = Terms(planes.p, width, height, across: 3, down: 3)
        let q = Terms(planes.q, width, height, across: 3, down: 3)
        let landscape = width > height

        var header = whole(63 * l.constant)
        header |= whole(31.5 + 31.5 * p.constant) << 6
        header |= whole(31.5 + 31.5 * q.constant) << 12
        header |= whole(31 * l.scale) << 18
        header |= planes.hasAlpha ? 1 << 23 : 0
        var shape = landscape ? down : across
        shape |= whole(63 * p.scale) << 3
        shape |= whole(63 * q.scale) << 9
        shape |= landscape ? 1 << 15 : 0
        var hash = [header, header >> 8, header >> 16, shape, shape >> 8].map {
            UInt8(truncatingIfNeeded: $0)
        }

        var nibbles = l.nibbles + p.nibbles + q.nibbles
        if planes.hasAlpha {
            let a = Terms(planes.a, width, height, across: 5, down: 5)
            hash.append(UInt8(whole(15 * a.constant) | whole(15 * a.scale) << 4))
            nibbles += a.nibbles
        }
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            let next = index + 1 < nibbles.count ? nibbles[index + 1] : 0
            hash.append(nibbles[index] | next << 4)
        }
        return hash
    }

    /// The nearest whole number, halves upwards.
    fileprivate static func whole(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// A picture over its own average colour, as the four planes of the format.
private struct Planes {
    var l: [Double] = []
    var p: [Double] = []
    var q: [Double] = []
    var a: [Double] = []
    let hasAlpha: Bool

    init(_ picture: borrowing PixelBuffer) {
        let count = picture.size.area
        let pixels = picture.pixels
        var totals = (red: 0, green: 0, blue: 0, alpha: 0)
        for index in 0..<count {
            totals.red += Int(pixels[index * 4])
            totals.green += Int(pixels[index * 4 + 1])
            totals.blue += Int(pixels[index * 4 + 2])
            totals.alpha += Int(pixels[index * 4 + 3])
        }
        hasAlpha = totals.alpha < count * 255
        let weight = Double(max(1, totals.alpha))
        let average = (
            red: Double(totals.red) / weight, green: Double(totals.green) / weight,
            blue: Double(totals.blue) / weight
        )
        l.reserveCapacity(count)
        p.reserveCapacity(count)
        q.reserveCapacity(count)
        a.reserveCapacity(count)
        for index in 0..<count {
            let alpha = Double(pixels[index * 4 + 3]) / 255
            let red = average.red * (1 - alpha) + Double(pixels[index * 4]) / 255
            let green = average.green * (1 - alpha) + Double(pixels[index * 4 + 1]) / 255
            let blue = average.blue * (1 - alpha) + Double(pixels[index * 4 + 2]) / 255
            l.append((red + green + blue) / 3)
            p.append((red + green) / 2 - blue)
            q.append(red - green)
            a.append(alpha)
        }
    }
}

/// The cosine terms of one plane: the constant one, and the others as shares of the largest.
private struct Terms {
    var constant = 0.0
    var scale = 0.0
    var nibbles: [UInt8] = []

    init(_ plane: [Double], _ width: Int, _ height: Int, across: Int, down: Int) {
        let columns = Terms.waves(width, count: across)
        let rows = Terms.waves(height, count: down)
        // First along the rows, then down the sums: two short sums instead of one long one.
        var sums = [Double](repeating: 0, count: across * height)
        for y in 0..<height {
            for wave in 0..<across {
                var sum = 0.0
                for x in 0..<width { sum += plane[y * width + x] * columns[wave * width + x] }
                sums[wave * height + y] = sum
            }
        }
        var others: [Double] = []
        for y in 0..<down {
            var x = 0
            while x * down < across * (down - y) {
                var sum = 0.0
                for row in 0..<height { sum += sums[x * height + row] * rows[y * height + row] }
                sum /= Double(width * height)
                if x == 0 && y == 0 {
                    constant = sum
                } else {
                    // What is left of an even surface by rounding is no wave.
                    others.append(abs(sum) < 1e-9 ? 0 : sum)
                    scale = max(scale, abs(others[others.count - 1]))
                }
                x += 1
            }
        }
        nibbles = others.map { term in
            scale == 0 ? 0 : UInt8(ThumbHash.whole(15 * (0.5 + 0.5 / scale * term)))
        }
    }

    /// `count` cosine waves over `length` samples, one after the other.
    private static func waves(_ length: Int, count: Int) -> [Double] {
        var samples: [Double] = []
        samples.reserveCapacity(length * count)
        for wave in 0..<count {
            for place in 0..<length {
                samples.append(
                    ExactSine.cosine(halfTurns: wave * (2 * place + 1), of: 2 * length))
            }
        }
        return samples
    }
}
