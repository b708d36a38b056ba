/// A number as the format writes lengths and distances: a symbol, and bits after it.
struct WebPAlphaPrefix {
    let symbol: Int
    let bits: Int
    let rest: Int

    /// - Parameter number: from 1.
    init(_ number: Int) {
        let value = number - 1
        guard value > 3 else {
            (symbol, bits, rest) = (value, 0, 0)
            return
        }
        let highest = Int.bitWidth - 1 - value.leadingZeroBitCount
        bits = highest - 1
        symbol = 2 * highest + value >> bits & 1
        rest = value & (1 << bits - 1)
    }
}

/// Pieces of a plane, and the codes that suit them.
struct WebPAlphaCodes {
    /// Values and lengths share a code.
    static let greens = 256 + 24
    static let distances = 40

    let pieces: [WebPAlphaPiece]
    let green: WebPPrefixCode
    let distance: WebPPrefixCode

    init(_ pieces: [WebPAlphaPiece]) {
        self.pieces = pieces
        var greens = [Int](repeating: 0, count: Self.greens)
        var distances = [Int](repeating: 0, count: Self.distances)
        for piece in pieces {
            if piece.distance == 0 {
                greens[Int(piece.value)] += 1
            } else {
                greens[256 + WebPAlphaPrefix(Int(piece.length)).symbol] += 1
                distances[WebPAlphaPrefix(Int(piece.distance)).symbol] += 1
            }
        }
        green = WebPPrefixCode(counts: greens, limit: 15)
        distance = WebPPrefixCode(counts: distances, limit: 15)
    }

    /// What an `ALPH` chunk holds.
    var packed: [UInt8] {
        // Packed without loss, nothing predicted.
        var bits = WebPBits(bytes: [1])
        // No transforms, no cache of colours, one group of codes.
        bits.put(0, count: 3)
        green.put(into: &bits)
        // Red, blue and the alpha of the alpha are always zero: a code of that symbol alone.
        for _ in 0..<3 { bits.put(1, count: 4) }
        distance.put(into: &bits)
        for piece in pieces {
            if piece.distance == 0 {
                green.put(Int(piece.value), into: &bits)
            } else {
                let length = WebPAlphaPrefix(Int(piece.length))
                green.put(256 + length.symbol, into: &bits)
                bits.put(length.rest, count: length.bits)
                let far = WebPAlphaPrefix(Int(piece.distance))
                distance.put(far.symbol, into: &bits)
                bits.put(far.rest, count: far.bits)
            }
        }
        return bits.finished
    }
}

/// Bits in the order of WebP's lossless form: the lowest first.
struct WebPBits {
    private var bytes: [UInt8]
    private var held = 0
    private var count = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func put(_ value: Int, count added: Int) {
        held |= value << count
        count += added
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            count -= 8
        }
    }

    var finished: [UInt8] {
        count > 0 ? bytes + [UInt8(truncatingIfNeeded: held)] : bytes
    }
}
