/// A small generator with a seed, so that a schedule that fails can be run again.
struct Dice {
    var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func roll(_ sides: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(max(1, sides)))
    }
}
