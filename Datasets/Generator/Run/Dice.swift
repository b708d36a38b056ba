import System

/// Random numbers of a seed, one stream for each file.
///
/// A file's stream depends on the seed, the kind of file and its number only, so that a larger set
/// begins with the files of a smaller one, whatever the number of threads.
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

    /// The next 64 random bits.
    mutating func next() -> UInt64 { random.next() }

    /// A whole number from zero to `limit`, which is left out.
    mutating func below(_ limit: Int) -> Int {
        Int(UInt64(limit).multipliedFullWidth(by: next()).high)
    }

    /// A whole number of a closed range.
    mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// A number between two bounds.
    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(next() >> 11) * 0x1p-53
    }

    /// True this often in a hundred.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// One of some things, each as likely as the next.
    mutating func pick<Thing>(_ things: [Thing]) -> Thing {
        things[below(things.count)]
    }
}
