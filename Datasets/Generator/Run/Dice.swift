import System

/// Random numbers from a seed, with a separate stream for each file.
///
/// A stream depends only on the seed, the kind of file and its number. A larger set therefore
/// starts with the files of a smaller one, independent of the number of threads.
struct Dice: Sendable {
    private var random: SeededRandom

    init(seed: UInt64, stream: String, number: Int) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in stream.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        random = SeededRandom(
            seed: seed &+ hash
                &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03)
        _ = next()
    }

    mutating func next() -> UInt64 { random.next() }

    /// Returns a whole number from zero to `limit` - 1.
    mutating func below(_ limit: Int) -> Int {
        Int(UInt64(limit).multipliedFullWidth(by: next()).high)
    }

    mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(next() >> 11) * 0x1p-53
    }

    /// Returns true with this probability in percent.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    mutating func pick<Thing>(_ things: [Thing]) -> Thing {
        things[below(things.count)]
    }
}
