/// Lossless pictures of alpha written bit by bit (RFC 9649, section 3), for what no writer makes.
struct AlphaStream {
    /// A prefix code: how long it is for each symbol, and what it is.
    struct Code {
        let lengths: [Int]
        fileprivate private(set) var codes: [Int]

        init(lengths: [Int]) {
            self.lengths = lengths
            codes = lengths.map { _ in 0 }
            var next = 0
            for length in 1...15 {
                for symbol in lengths.indices where lengths[symbol] == length {
                    codes[symbol] = next
                    next += 1
                }
                next <<= 1
            }
        }
    }

    private var bytes: [UInt8] = []
    private var held: UInt64 = 0
    private var heldCount = 0

    /// What was put, in whole bytes.
    var ended: [UInt8] { heldCount > 0 ? bytes + [UInt8(truncatingIfNeeded: held)] : bytes }

    /// The lowest bits first.
    mutating func put(_ value: Int, bits: Int) {
        held |= UInt64(value) << heldCount
        heldCount += bits
        while heldCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            heldCount -= 8
        }
    }

    /// A code of one symbol, which takes no bits then.
    mutating func putOnly(_ symbol: Int) {
        put(0b101, bits: 3)
        put(symbol, bits: 8)
    }

    /// A code of two symbols of a bit each, the lower one 0.
    mutating func putPair(_ first: Int, _ second: Int) {
        put(0b111, bits: 3)
        put(first, bits: 8)
        put(second, bits: 8)
    }

    /// The lengths of a code, in four bits each.
    mutating func put(_ code: Code) {
        put(0, bits: 1)
        put(19 - 4, bits: 4)
        for length in [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] {
            put(length < 16 ? 4 : 0, bits: 3)
        }
        put(0, bits: 1)
        for length in code.lengths { putCode(length, bits: 4) }
    }

    mutating func put(_ symbol: Int, in code: Code) {
        putCode(code.codes[symbol], bits: code.lengths[symbol])
    }

    /// Codes have their highest bit first.
    private mutating func putCode(_ code: Int, bits: Int) {
        for bit in (0..<bits).reversed() { put(code >> bit & 1, bits: 1) }
    }

    /// A length or a distance: its symbol, and bits after it.
    mutating func put(number: Int, offset: Int, in code: Code) {
        let rest = number - 1
        guard rest >= 4 else { return put(offset + rest, in: code) }
        let power = Int.bitWidth - 1 - rest.leadingZeroBitCount
        put(offset + 2 * power + rest >> (power - 1) & 1, in: code)
        put(rest & (1 << (power - 1) - 1), bits: power - 1)
    }

    /// A picture of greens alone, eight bits each. The opacity of its first pixel may differ from
    /// that of the others.
    mutating func putPicture(
        of greens: [UInt8], firstOpacity: Int? = nil, opacity: Int = 0, red: Int = 0
    ) {
        let code = Code(
            lengths: [Int](repeating: 8, count: 256) + [Int](repeating: 0, count: 24))
        put(code)
        putOnly(red)
        putOnly(0)
        if let firstOpacity {
            putPair(min(firstOpacity, opacity), max(firstOpacity, opacity))
        } else {
            putOnly(opacity)
        }
        putOnly(0)
        for (index, green) in greens.enumerated() {
            put(Int(green), in: code)
            if let firstOpacity {
                put((index == 0) == (firstOpacity > opacity) ? 1 : 0, bits: 1)
            }
        }
    }
}
