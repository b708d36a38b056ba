extension PNGFilteredRows {
    /// A guess at the packed size in bits, good for comparing two ways of writing a picture.
    ///
    /// Four bytes that were seen before cost little, since they will be part of a match; what a
    /// pixel of others costs, their counts say. Whether they were is noted without a branch: half of
    /// the answers would be guessed wrong.
    func guessedSize() -> Int {
        let slots = 4096
        let most = 1024
        let room = slots + most + LiteralCounts.room
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { memory in
            guard let seen = memory.baseAddress, count > 4 else { return 0 }
            // An empty slot looks like four zeros, which cost next to nothing either.
            unsafe seen.initialize(repeating: 0, count: room)
            let fresh = unsafe seen + slots
            var literals = unsafe LiteralCounts(zeros: fresh + most)
            var known = 0
            var offset = 1
            while offset &+ 4 <= count {
                let groups = min(most, (count &- 4 &- offset) / step &+ 1)
                var new = 0
                // By hand: a stride of unknown step is three times as slow.
                for _ in 0..<groups {
                    let group = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let slot = unsafe seen + Int((group &* 0x9E37_79B1) &>> 20)
                    unsafe fresh[new] = group
                    new &+= unsafe slot.pointee == group ? 0 : 1
                    unsafe slot.pointee = group
                    offset &+= step
                }
                known &+= groups &- new
                for index in 0..<new { unsafe literals.add(fresh[index], bytes: step) }
            }
            return 3 * known + literals.bits
        }
    }
}

/// How often each byte stands for itself in a stream. As an array in line the counts would be
/// copied with each group.
@safe
private struct LiteralCounts {
    static let room = 256

    private let counts: UnsafeMutablePointer<UInt32>
    private var total = 0

    @unsafe
    init(zeros: UnsafeMutablePointer<UInt32>) {
        unsafe counts = zeros
    }

    /// Adds the first bytes of a group, at most all four.
    mutating func add(_ group: UInt32, bytes: Int) {
        var group = group
        for _ in 0..<min(bytes, 4) {
            unsafe counts[Int(group & 0xFF)] &+= 1
            group &>>= 8
        }
        total &+= min(bytes, 4)
    }

    /// What codes of the best lengths would take.
    var bits: Int {
        let whole = Self.log2(total)
        var sum = 0
        for value in 0..<Self.room {
            let count = unsafe Int(counts[value])
            sum += count * (whole - Self.log2(count))
        }
        return sum / 256
    }

    /// In 256ths, by chords: the same on each processor.
    private static func log2(_ number: Int) -> Int {
        guard number > 0 else { return 0 }
        let exponent = Int.bitWidth - 1 - number.leadingZeroBitCount
        return exponent * 256 + ((number - 1 << exponent) * 256) >> exponent
    }
}
