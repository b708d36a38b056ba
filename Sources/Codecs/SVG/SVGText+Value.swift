extension Span where Element == UInt8 {
    /// Whether `word` stands at `index`; a word in small letters is meant in either case.
    func hasWord(_ word: StaticString, at index: Int, anyCase: Bool = false) -> Bool {
        guard index >= 0, count - index >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount {
            let wanted = unsafe word.utf8Start[offset]
            var found = self[index + offset]
            if anyCase, found >= UInt8(ascii: "A"), found <= UInt8(ascii: "Z") { found |= 0x20 }
            guard found == wanted else { return false }
        }
        return true
    }

    /// Whether `word` stands anywhere in `range`.
    func contains(_ word: StaticString, in range: Range<Int>, anyCase: Bool = false) -> Bool {
        let last = range.upperBound - word.utf8CodeUnitCount
        guard range.lowerBound <= last else { return false }
        for index in range.lowerBound...last where hasWord(word, at: index, anyCase: anyCase) {
            return true
        }
        return false
    }

    /// The range without white space at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, SVGSign.isSpace(self[start]) { start += 1 }
        while end > start, SVGSign.isSpace(self[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The text of a range.
    func string(_ range: Range<Int>) -> String {
        String(decoding: array(range), as: UTF8.self)
    }

    /// The bytes of a range.
    func array(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(self, range)
        return bytes
    }
}

extension [UInt8] {
    /// Adds bytes of a text.
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        reserve(range.count)
        for index in range { append(text[index]) }
    }

    mutating func append(_ word: StaticString) {
        for offset in 0..<word.utf8CodeUnitCount { unsafe append(word.utf8Start[offset]) }
    }

    /// Makes room, never less than a half more: so that many small pieces cost what they are long.
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { reserveCapacity(Swift.max(count + more, capacity * 3 / 2)) }
    }
}

/// Kinds of signs in XML and CSS.
enum SVGSign {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C
    }

    /// What a name in CSS may hold, in one byte or more.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
