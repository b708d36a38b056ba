/// Base64 text (RFC 4648).
package enum Base64 {
    package enum Manner: Sendable {
        /// Only the standard alphabet in complete, padded groups.
        case strict
        /// Like browsers with `data:` URIs: skips spaces and line breaks, accepts `-` and `_` for
        /// `+` and `/`, and needs no padding. The unused bits of the last digit may have any value.
        case lenient
    }

    package static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16
                | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(character(group >> 18))
            text.append(character(group >> 12))
            text.append(left > 1 ? character(group >> 6) : UInt8(ascii: "="))
            text.append(left > 2 ? character(group) : UInt8(ascii: "="))
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; fails before more than `limit` bytes are stored.
    package static func decode(
        _ text: Span<UInt8>, manner: Manner = .strict, limit: Int = .max
    ) throws(Base64Error) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(text.count / 4 * 3 + 3, max(0, limit)))
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "=") {
                padding += 1
                guard digits + padding <= 4, digits >= 2 else {
                    throw .badCharacter(offset: index)
                }
                continue
            }
            if manner == .lenient, byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
            guard padding == 0, let digit = value(of: byte, manner) else {
                throw .badCharacter(offset: index)
            }
            group = group << 6 | digit
            digits += 1
            if digits == 4 {
                try append(group, 3, to: &bytes, limit)
                group = 0
                digits = 0
            }
        }
        try finish(group, digits, padding, manner, &bytes, limit)
        return bytes
    }

    private static func finish(
        _ group: UInt32, _ digits: Int, _ padding: Int, _ manner: Manner,
        _ bytes: inout [UInt8], _ limit: Int
    ) throws(Base64Error) {
        guard digits > 0 else { return }
        let isWhole = digits + padding == 4 || (manner == .lenient && padding == 0)
        guard digits > 1, isWhole else { throw .incomplete }
        let spare: UInt32 = digits == 2 ? 0xF : 0x3
        guard manner == .lenient || group & spare == 0 else { throw .spareBits }
        try append(group << UInt32(6 * (4 - digits)), digits - 1, to: &bytes, limit)
    }

    private static func append(
        _ group: UInt32, _ count: Int, to bytes: inout [UInt8], _ limit: Int
    ) throws(Base64Error) {
        guard limit - bytes.count >= count else { throw .tooLarge(limit: limit) }
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
        }
    }

    private static func character(_ bits: UInt32) -> UInt8 {
        let low = UInt8(truncatingIfNeeded: bits & 63)
        switch low {
        case 0..<26: return UInt8(ascii: "A") + low
        case 26..<52: return UInt8(ascii: "a") + low - 26
        case 52..<62: return UInt8(ascii: "0") + low - 52
        case 62: return UInt8(ascii: "+")
        default: return UInt8(ascii: "/")
        }
    }

    private static func value(of byte: UInt8, _ manner: Manner) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        case UInt8(ascii: "-"): manner == .lenient ? 62 : nil
        case UInt8(ascii: "_"): manner == .lenient ? 63 : nil
        default: nil
        }
    }
}

package enum Base64Error: Error, Hashable, Sendable, CustomStringConvertible {
    case badCharacter(offset: Int)
    case incomplete
    case spareBits
    case tooLarge(limit: Int)

    package var description: String {
        switch self {
        case .badCharacter(let offset): "character \(offset + 1) is not valid in Base64"
        case .incomplete: "the last group of the Base64 text is incomplete"
        case .spareBits: "the last Base64 character has extra bits"
        case .tooLarge(let limit): "the Base64 text has more than \(limit) bytes"
        }
    }
}
