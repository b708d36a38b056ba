package enum ListEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case latin1, cp1252
    case utf16 = "utf-16"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"

    /// Returns the UTF-16 encoding of bytes that have no byte-order mark but look like UTF-16: in
    /// mostly ASCII text, every second byte is NUL.
    static func likelyUTF16(_ bytes: [UInt8]) -> ListEncoding? {
        let sample = bytes.prefix(1_024)
        let pairs = sample.count / 2
        guard pairs > 1 else { return nil }
        var zeros = [0, 0]
        var hasLineFeed = [false, false]
        for index in 0..<pairs * 2 where sample[index] == 0 {
            zeros[index & 1] += 1
            if sample[index ^ 1] == 0x0A { hasLineFeed[index & 1] = true }
        }
        // A list of sources that end with NUL also has NUL bytes, but no line feeds next to them.
        for (half, encoding) in [utf16BigEndian, utf16LittleEndian].enumerated()
        where zeros[half] * 2 > pairs && zeros[1 - half] * 16 < pairs && hasLineFeed[half] {
            return encoding
        }
        return nil
    }
}

/// Converts a list to UTF-8, piece by piece.
enum ListTranscoder {
    case utf16(UTF16Reader)
    /// The code points of the bytes from 0x80 on.
    case singleByte([UInt32])

    /// Creates a transcoder for a text whose first bytes are `start`; nil if it is UTF-8. A
    /// byte-order mark takes precedence over `encoding`.
    init?(_ start: Span<UInt8>, as encoding: ListEncoding?) {
        if let reader = UTF16Reader(start) {
            self = .utf16(reader)
            return
        }
        if start.count >= 3, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF { return nil }
        switch encoding {
        case nil, .utf8: return nil
        case .latin1: self = .singleByte(Array(0x80...0xFF))
        case .cp1252: self = .singleByte(Self.cp1252 + Array(0xA0...0xFF))
        case .utf16:
            let isBigEndian = start.count > 0 && start[0] == 0
            self = .utf16(UTF16Reader(isBigEndian: isBigEndian))
        case .utf16LittleEndian: self = .utf16(UTF16Reader(isBigEndian: false))
        case .utf16BigEndian: self = .utf16(UTF16Reader(isBigEndian: true))
        }
    }

    /// The code points of the bytes from 0x80 to 0x9F; five of them are unassigned and stay
    /// controls.
    private static let cp1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    mutating func read(_ piece: Span<UInt8>) -> [UInt8] {
        switch self {
        case .utf16(var reader):
            defer { self = .utf16(reader) }
            return reader.read(piece)
        case .singleByte(let codes):
            var text: [UInt8] = []
            text.reserveCapacity(piece.count * 3 / 2)
            for index in 0..<piece.count {
                let byte = piece[index]
                if byte < 0x80 {
                    text.append(byte)
                } else {
                    let scalar = Unicode.Scalar(codes[Int(byte) - 0x80]) ?? "\u{FFFD}"
                    text.append(
                        contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            }
            return text
        }
    }

    /// Returns U+FFFD if the text ended inside a character, otherwise no bytes.
    mutating func finish() -> [UInt8] {
        guard case .utf16(var reader) = self else { return [] }
        return reader.finish()
    }
}

/// Converts UTF-16 that arrives in pieces to UTF-8.
struct UTF16Reader {
    private let isBigEndian: Bool
    /// The first byte of a code unit whose second byte is in the next piece.
    private var odd: UInt8?
    /// A high surrogate that waits for its low surrogate.
    private var high: UInt16?

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

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
}
