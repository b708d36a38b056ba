/// A digest of 256 bits, such as that of SHA-256.
package struct Digest256: Hashable, Sendable {
    private let words: SIMD8<UInt32>

    init(words: SIMD8<UInt32>) {
        self.words = words
    }

    /// Parses 64 hexadecimal digits of either case; nil for anything else.
    package init?(hex: String) {
        guard hex.utf8.count == 64 else { return nil }
        var words = SIMD8<UInt32>()
        for (index, byte) in hex.utf8.enumerated() {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            words[index / 8] = words[index / 8] << 4 | UInt32(digit)
        }
        self.words = words
    }

    package var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
    }

    /// The first 16 bytes as two integers: enough to distinguish texts, and small enough to keep
    /// for every row.
    package var prefixWords: (UInt64, UInt64) {
        func word(_ index: Int) -> UInt64 { UInt64(words[index]) << 32 | UInt64(words[index + 1]) }
        return (word(0), word(2))
    }

    package var hex: String { prefixHex(64) }

    /// The first `count` digits (0 to 64), for file names and logs.
    package func prefixHex(_ count: Int) -> String {
        let digits = (0..<max(0, min(count, 64))).map { index in
            let value =
                UInt8(truncatingIfNeeded: words[index / 8] >> UInt32(28 - 4 * (index % 8))) & 15
            return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension Digest256: CustomStringConvertible {
    package var description: String { hex }
}
