extension PNGFilteredRows {
    /// A guess at the packed size in bits, good for comparing two ways of writing a picture.
    ///
    /// Four bytes that were seen before cost little, since they will be part of a match; what a
    /// pixel of others costs, their counts say. Whether they were is noted without a branch: half of
    /// the answers would be guessed wrong.
    func guessedSize() -> Int {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4096 + 1024) { memory in
            guard let seen = memory.baseAddress, count > 4 else { return 0 }
            // An empty slot looks like four zeros, which cost next to nothing either.
            unsafe seen.initialize(repeating: 0, count: 4096)
            let fresh = unsafe seen + 4096
            var literals = LiteralCounts()
            var known = 0
            var offset = 1
            while offset &+ 4 <= count {
                let groups = min(1024, (count &- 4 &- offset) / step &+ 1)
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

/// How often each byte stands for itself in a stream.
private struct LiteralCounts {
    private var counts = InlineArray<256, Int>(repeating: 0)
    private var total = 0

    /// Adds the first bytes of a group, at most all four.
    mutating func add(_ group: UInt32, bytes: Int) {
        var group = group
        for _ in 0..<min(bytes, 4) {
            counts[Int(group & 0xFF)] &+= 1
            group &>>= 8
        }
        total &+= min(bytes, 4)
    }

    /// What codes of the best lengths would take.
    var bits: Int {
        let whole = Self.log2(total)
        var sum = 0
        // A closure would be handed all counts anew for each of them.
        for index in counts.indices {
            let count = counts[index]
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
