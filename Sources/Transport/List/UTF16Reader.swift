/// Converts UTF-16 that arrives in pieces to UTF-8.
struct UTF16Reader {
    private let isBigEndian: Bool
    /// The first byte of a code unit whose second byte is in the next piece.
    private var odd: UInt8?
    /// A high surrogate that waits for its low surrogate.
    private var high: UInt16?

    /// Creates a reader; nil unless the text begins with the byte-order mark of UTF-16.
    init?(_ start: Span<UInt8>) {
        guard start.count >= 2 else { return nil }
        switch (start[0], start[1]) {
        case (0xFF, 0xFE): isBigEndian = false
        case (0xFE, 0xFF): isBigEndian = true
        default: return nil
        }
    }

    /// Returns the piece in UTF-8. A character that is split between two pieces is returned with
    /// the second. Unpaired surrogates become U+FFFD. A byte-order mark is converted like any
    /// character.
    mutating func read(_ piece: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(piece.count * 3 / 2 + 4)
        var index = 0
        while index < piece.count {
            let byte = piece[index]
            index += 1
            guard let first = odd else {
                odd = byte
                continue
            }
            odd = nil
            let unit =
                isBigEndian
                ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
            take(unit, &text)
        }
        return text
    }

    mutating func finish() -> [UInt8] {
        var text: [UInt8] = []
        if high != nil || odd != nil { append(0xFFFD, &text) }
        high = nil
        odd = nil
        return text
    }

    private mutating func take(_ unit: UInt16, _ text: inout [UInt8]) {
        let isLow = unit & 0xFC00 == 0xDC00
        if let first = high {
            high = nil
            if isLow {
                append(0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(unit & 0x3FF), &text)
                return
            }
            append(0xFFFD, &text)
        }
        if unit & 0xFC00 == 0xD800 {
            high = unit
        } else {
            append(isLow ? 0xFFFD : UInt32(unit), &text)
        }
    }

    private func append(_ value: UInt32, _ text: inout [UInt8]) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Returns the name of the encoding of bytes that look like UTF-16 without a byte-order mark: in
    /// mostly ASCII text, every second byte is NUL.
    static func likelyName(_ bytes: [UInt8]) -> String? {
        let sample = bytes.prefix(1_024)
        let pairs = sample.count / 2
        guard pairs > 1 else { return nil }
        var zeros = [0, 0]
        var hasLineFeed = [false, false]
        for index in 0..<pairs * 2 where sample[index] == 0 {
            zeros[index & 1] += 1
            if sample[index ^ 1] == 0x0A { hasLineFeed[index & 1] = true }
        }
        for (half, name) in ["UTF-16BE", "UTF-16LE"].enumerated()
        where zeros[half] * 2 > pairs && zeros[1 - half] * 16 < pairs && hasLineFeed[half] {
            return name
        }
        return nil
    }
}
