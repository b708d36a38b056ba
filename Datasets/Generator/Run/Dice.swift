/// A small seeded generator of random numbers (SplitMix64), one for each file.
///
/// A file's stream depends on the seed, the kind of file and its number only, so that a larger set
/// begins with the files of a smaller one, whatever the number of threads.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64, stream: String, number: Int) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in stream.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        state = seed &+ hash &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
        _ = next()
    }

    /// The next 64 random bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

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
