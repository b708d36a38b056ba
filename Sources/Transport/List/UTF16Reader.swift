/// Turns UTF-16 that arrives in pieces into UTF-8.
struct UTF16Reader {
    private let isBigEndian: Bool
    private var odd: UInt8?
    private var high: UInt16?

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Nil unless the text begins with the byte-order mark of UTF-16.
    init?(_ start: Span<UInt8>) {
        guard start.count >= 2 else { return nil }
        switch (start[0], start[1]) {
        case (0xFF, 0xFE): isBigEndian = false
        case (0xFE, 0xFF): isBigEndian = true
        default: return nil
        }
    }

    /// The next piece in UTF-8; what a piece cuts in two waits for the next. Halves of
    /// characters that stand alone become U+FFFD. The mark itself comes through as UTF-8's.
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

    /// What the last piece left behind.
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
}
