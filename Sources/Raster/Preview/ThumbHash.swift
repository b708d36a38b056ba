/// A blurred preview of a picture in about 25 bytes, in Evan Wallace's format
/// (https://evanw.github.io/thumbhash): a cosine transform of lightness, yellow-blue, red-green and
/// alpha with four bits per coefficient.
package enum ThumbHash {
    /// The size limit of the format; larger pictures are reduced to it first.
    package static let edgeLimit = 100

    /// The largest number of bytes of a hash.
    package static let longest = 25

    /// Returns the hash of a picture, the same on every processor.
    ///
    /// The time grows with the number of pixels: reduce a large picture once and use the result for
    /// all previews.
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

        let l = Terms(planes, 0, across: max(3, across), down: max(3, down))
        let p = Terms(planes, 1, across: 3, down: 3)
        let q = Terms(planes, 2, across: 3, down: 3)
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
            let a = Terms(planes, 3, across: 5, down: 5)
            hash.append(UInt8(whole(15 * a.constant) | whole(15 * a.scale) << 4))
            nibbles += a.nibbles
        }
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            let next = index + 1 < nibbles.count ? nibbles[index + 1] : 0
            hash.append(nibbles[index] | next << 4)
        }
        return hash
    }

    /// Returns the nearest whole number; halves round up.
    fileprivate static func whole(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// A picture over its own average colour, transformed along its rows: for each frequency and row
/// the four planes of the format (lightness, yellow-blue, red-green, alpha).
private struct Planes {
    let hasAlpha: Bool
    let width: Int
    let height: Int
    /// One sum per row, grouped by frequency.
    private(set) var sums: [SIMD4<Double>]
    /// The cosines over the picture's height, one frequency after the other.
    let rows: [Double]

    /// The maximum number of frequencies of a plane in one direction.
    static let frequencyLimit = 7

    init(_ picture: borrowing PixelBuffer) {
        width = picture.width
        height = picture.height
        sums = Array(repeating: .zero, count: Planes.frequencyLimit * height)
        let pixels = picture.pixels
        var totals = SIMD4<Int>.zero
        for index in 0..<(width * height) { totals &+= Planes.steps(pixels, index) }
        hasAlpha = totals.w < width * height * 255
        let average = SIMD4<Double>(totals) / Double(max(1, totals.w))

        let columns = Terms.cosines(width)
        rows = width == height ? columns : Terms.cosines(height)
        var row = [SIMD4<Double>](repeating: .zero, count: width)
        for y in 0..<height {
            for x in 0..<width {
                let own = SIMD4<Double>(Planes.steps(pixels, y * width + x)) / 255
                let shown = own + average * (1 - own.w)
                row[x] = SIMD4(
                    (shown.x + shown.y + shown.z) / 3, (shown.x + shown.y) / 2 - shown.z,
                    shown.x - shown.y, own.w)
            }
            for wave in 0..<Planes.frequencyLimit {
                var sum = SIMD4<Double>.zero
                for x in 0..<width { sum += row[x] * columns[wave * width + x] }
                sums[wave * height + y] = sum
            }
        }
    }

    @inline(__always)
    private static func steps(_ pixels: borrowing Span<UInt8>, _ index: Int) -> SIMD4<Int> {
        SIMD4(
            Int(pixels[index * 4]), Int(pixels[index * 4 + 1]), Int(pixels[index * 4 + 2]),
            Int(pixels[index * 4 + 3]))
    }
}

/// The constant term of one plane, and the other terms as shares of the largest.
private struct Terms {
    var constant = 0.0
    var scale = 0.0
    var nibbles: [UInt8] = []

    init(_ planes: Planes, _ plane: Int, across: Int, down: Int) {
        let height = planes.height
        let rows = planes.rows
        var others: [Double] = []
        for y in 0..<down {
            var x = 0
            while x * down < across * (down - y) {
                var sum = 0.0
                for row in 0..<height {
                    sum += planes.sums[x * height + row][plane] * rows[y * height + row]
                }
                sum /= Double(planes.width * height)
                if x == 0 && y == 0 {
                    constant = sum
                } else {
                    // Discards the rounding residue that a surface of one colour leaves.
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

    /// Returns the cosines over `length` samples, one frequency after the other.
    static func cosines(_ length: Int) -> [Double] {
        length == Terms.usualLength ? usual : made(length)
    }

    /// The side in pixels of the previews in a manifest, whose cosines are computed only once.
    private static let usualLength = 32
    private static let usual = made(usualLength)

    private static func made(_ length: Int) -> [Double] {
        var samples: [Double] = []
        samples.reserveCapacity(length * Planes.frequencyLimit)
        for wave in 0..<Planes.frequencyLimit {
            for index in 0..<length {
                samples.append(
                    ExactSine.cosine(halfTurns: wave * (2 * index + 1), of: 2 * length))
            }
        }
        return samples
    }
}
