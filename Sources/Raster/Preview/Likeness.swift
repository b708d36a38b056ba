/// The contents of a thumb hash in a form for comparison: colours and large shapes. Details are
/// compared by `GradientHash`.
package struct Likeness: Hashable, Sendable {
    /// The proportions and whether the picture has alpha; similar pictures share both.
    private let shape: UInt8
    /// The mean of each plane, 0 to 63.
    private let averages: SIMD4<Int16>
    /// The largest coefficient of each plane, in 64 steps.
    private let strengths: SIMD4<Int16>
    /// Each coefficient as a share of the largest, 0 to 15.
    private let coefficients: [UInt8]

    /// Reads a hash of `ThumbHash`; nil for anything else, and for a hash without coefficients.
    package init?(thumbHash bytes: [UInt8]) {
        guard bytes.count > 5 else { return nil }
        let head = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        let form = Int(bytes[3]) | Int(bytes[4]) << 8
        let hasAlpha = head >> 23 & 1 == 1
        let isLandscape = form >> 15 & 1 == 1
        let longer = hasAlpha ? 5 : 7
        let across = max(3, isLandscape ? longer : form & 7)
        let down = max(3, isLandscape ? form & 7 : longer)
        shape = UInt8(form & 7) | (isLandscape ? 8 : 0) | (hasAlpha ? 16 : 0)
        let alpha = hasAlpha ? Int(bytes[5]) : 15
        averages = SIMD4(
            Int16(head & 63), Int16(head >> 6 & 63), Int16(head >> 12 & 63),
            Int16((alpha & 15) * 4))
        strengths = SIMD4(
            Int16((head >> 18 & 31) * 2), Int16(form >> 3 & 63), Int16(form >> 9 & 63),
            Int16(hasAlpha ? (alpha >> 4) * 4 : 0))
        let nibbles = bytes.dropFirst(hasAlpha ? 6 : 5).flatMap { [$0 & 15, $0 >> 4] }
        let count =
            Self.coefficientCount(across, down) + 2 * Self.coefficientCount(3, 3)
            + (hasAlpha ? Self.coefficientCount(5, 5) : 0)
        guard nibbles.count >= count, strengths.x > 0 || strengths.w > 0 else { return nil }
        coefficients = Array(nibbles.prefix(count))
    }

    /// Returns the number of coefficients of a plane, without the constant one.
    private static func coefficientCount(_ across: Int, _ down: Int) -> Int {
        var count = -1
        for y in 0..<down {
            var x = 0
            while x * down < across * (down - y) {
                count += 1
                x += 1
            }
        }
        return count
    }

    /// The largest mean difference and the largest single difference of coefficients; a coefficient
    /// is 0 to 15.
    private static let meanLimit = 0.5
    private static let coefficientLimit = 2
    /// The largest difference of averages and strengths, which are 0 to 63.
    private static let averageLimit: Int16 = 3

    /// Returns whether colours and large shapes are equal within noise and rounding.
    package func isNear(_ other: Likeness) -> Bool {
        guard shape == other.shape, coefficients.count == other.coefficients.count,
            Self.areNear(averages, other.averages), Self.areNear(strengths, other.strengths)
        else { return false }
        var sum = 0
        for (one, another) in zip(coefficients, other.coefficients) {
            let difference = abs(Int(one) - Int(another))
            guard difference <= Self.coefficientLimit else { return false }
            sum += difference
        }
        return Double(sum) <= Self.meanLimit * Double(coefficients.count)
    }

    private static func areNear(_ one: SIMD4<Int16>, _ other: SIMD4<Int16>) -> Bool {
        let difference = one &- other
        return (0..<4).allSatisfy { abs(difference[$0]) <= averageLimit + ($0 == 3 ? 1 : 0) }
    }
}

/// A 64-bit difference hash: one bit for each pair of horizontal neighbours in a grid of nine
/// columns by eight rows, set where the picture becomes lighter. Similar pictures share most bits,
/// independent of size and format.
package enum GradientHash {
    private static let columns = 9
    private static let rows = 8
    /// The least rise in levels that is not treated as noise.
    private static let leastRise = 4

    /// The largest number of different bits of two similar pictures.
    package static let nearLimit = 3

    /// Returns the hash of a small picture drawn over middle grey.
    package static func of(_ picture: borrowing PixelBuffer) -> UInt64 {
        var hash: UInt64 = 0
        for row in 0..<rows {
            let lights = (0..<columns).map { light(of: picture, $0, row) }
            for column in 1..<columns {
                let isRise = lights[column] >= lights[column - 1] + leastRise
                hash = hash << 1 | (isRise ? 1 : 0)
            }
        }
        return hash
    }

    private static func light(
        of picture: borrowing PixelBuffer, _ column: Int, _ row: Int
    ) -> Int {
        let pixels = picture.pixels
        let across = range(column, of: columns, picture.width)
        let down = range(row, of: rows, picture.height)
        var sum = 0
        for y in down {
            for x in across {
                let offset = (y * picture.width + x) * 4
                // Integer weights in eighths that approximate perceived brightness.
                sum +=
                    (2 * Int(pixels[offset]) + 5 * Int(pixels[offset + 1]) + Int(pixels[offset + 2])
                        + 4 * (255 - Int(pixels[offset + 3]))) / 8
            }
        }
        return sum / (across.count * down.count)
    }

    private static func range(_ cell: Int, of count: Int, _ length: Int) -> Range<Int> {
        let start = min(cell * length / count, length - 1)
        return start..<max(start + 1, (cell + 1) * length / count)
    }
}
