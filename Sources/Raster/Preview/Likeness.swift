/// What a thumb hash says of a picture, laid out to be compared: its colours and its large shapes.
/// Whether two pictures are alike in detail is said by their `GradientHash`.
package struct Likeness: Hashable, Sendable {
    /// Proportions and whether anything can be looked through, which near pictures share.
    private let shape: UInt8
    /// Average lightness, yellow-blue, red-green and alpha, each in 64 steps.
    private let averages: SIMD4<Int16>
    /// The strongest wave of each, in 64 steps.
    private let strengths: SIMD4<Int16>
    /// Each wave as a share of the strongest, 0 to 15.
    private let waves: [UInt8]

    /// Reads a hash of `ThumbHash`; nil for anything else, and for pictures without any drawing.
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
            Self.waves(across, down) + 2 * Self.waves(3, 3) + (hasAlpha ? Self.waves(5, 5) : 0)
        guard nibbles.count >= count, strengths.x > 0 || strengths.w > 0 else { return nil }
        waves = Array(nibbles.prefix(count))
    }

    /// As many as the format keeps for a plane.
    private static func waves(_ across: Int, _ down: Int) -> Int {
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

    /// The most that waves may differ on average, and each, in steps of 15.
    private static let meanLimit = 0.5
    private static let waveLimit = 2
    /// The most that averages and strengths may differ, in steps of 64.
    private static let averageLimit: Int16 = 3

    /// Colours and large shapes are the same, as far as noise and rounding let them be.
    package func isNear(_ other: Likeness) -> Bool {
        guard shape == other.shape, waves.count == other.waves.count,
            Self.areNear(averages, other.averages), Self.areNear(strengths, other.strengths)
        else { return false }
        var sum = 0
        for (one, another) in zip(waves, other.waves) {
            let difference = abs(Int(one) - Int(another))
            guard difference <= Self.waveLimit else { return false }
            sum += difference
        }
        return Double(sum) <= Self.meanLimit * Double(waves.count)
    }

    private static func areNear(_ one: SIMD4<Int16>, _ other: SIMD4<Int16>) -> Bool {
        let difference = one &- other
        return (0..<4).allSatisfy { abs(difference[$0]) <= averageLimit + ($0 == 3 ? 1 : 0) }
    }
}
