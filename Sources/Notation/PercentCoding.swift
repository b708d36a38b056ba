/// Percent encoding of URLs: `%41` for `A`.
package enum PercentCoding {
    /// Decodes each `%` with two hexadecimal digits; any other `%` is unchanged.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = Hexadecimal.value(of: text[index + 1]),
                let low = Hexadecimal.value(of: text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// Decodes the text once; bytes that are then not UTF-8 become U+FFFD.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: decoded(Array(text.utf8).span), as: UTF8.self)
    }

    /// Encodes every byte except letters, digits, `-`, `.`, `_` and `~`.
    package static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                String(Unicode.Scalar(byte))
            default: "%" + Hexadecimal.text(UInt32(byte), width: 2).uppercased()
            }
        }.joined()
    }
}

package enum Hexadecimal {
    package static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    package static func text(_ value: UInt32, width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    package static func text(_ value: UInt64) -> String {
        text(UInt32(truncatingIfNeeded: value >> 32), width: 8)
            + text(UInt32(truncatingIfNeeded: value), width: 8)
    }
}
