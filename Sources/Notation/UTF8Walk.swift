/// Scalars of bytes that may not be UTF-8 at all.
enum UTF8Walk {
    /// The scalar at `index` and its length, or nil and the length of the broken part: as many
    /// bytes as began a scalar, at least one.
    static func next(in bytes: Span<UInt8>, at index: Int) -> (Unicode.Scalar?, length: Int) {
        let first = bytes[index]
        let length: Int
        switch first {
        case 0..<0x80: return (Unicode.Scalar(first), 1)
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return (nil, 1)
        }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for step in 1..<length {
            let at = index + step
            guard at < bytes.count, allowed(bytes[at], after: first, step: step) else {
                return (nil, step)
            }
            value = value << 6 | UInt32(bytes[at] & 0x3F)
        }
        return (Unicode.Scalar(value), length)
    }

    /// Refuses overlong forms, surrogates and what lies beyond U+10FFFF at the second byte.
    private static func allowed(_ byte: UInt8, after first: UInt8, step: Int) -> Bool {
        guard byte & 0xC0 == 0x80 else { return false }
        guard step == 1 else { return true }
        switch first {
        case 0xE0: return byte >= 0xA0
        case 0xED: return byte <= 0x9F
        case 0xF0: return byte >= 0x90
        case 0xF4: return byte <= 0x8F
        default: return true
        }
    }
}
