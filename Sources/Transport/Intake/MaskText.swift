/// A text as the most forgiving of parsers might read it: characters written in percent code, also
/// twice over, and wide ones count as what they stand for; tabs and line ends are not there.
struct MaskText {
    private let text: [UInt8]
    /// The characters: ASCII, and 0xFF for everything else.
    private var units: [UInt8] = []
    /// Which bytes of the text each was read from.
    private var starts: [UInt32] = []
    private var ends: [UInt32] = []
    /// Where a colon stands.
    private(set) var colons: [Int] = []
    /// Where the last `@` stands.
    private(set) var lastAt: Int?

    init(_ string: String) {
        text = Array(string.utf8)
        units.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let (value, length) = Self.read(text, at: index)
            defer { index += length }
            // As browsers do, wherever these stand.
            if value == 0x09 || value == 0x0A || value == 0x0D { continue }
            if value == UInt8(ascii: ":") { colons.append(units.count) }
            if value == UInt8(ascii: "@") { lastAt = units.count }
            units.append(value)
            starts.append(UInt32(clamping: index))
            ends.append(UInt32(clamping: index + length))
        }
    }

    private static func read(_ text: [UInt8], at index: Int) -> (value: UInt8, length: Int) {
        let byte = text[index]
        if byte == UInt8(ascii: "%") { return percent(text, at: index) }
        if byte == 0xEF, index + 2 < text.count {
            // U+FF01 to U+FF5E are ASCII in wide letters, U+FE6B is a small @.
            let scalar = UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F)
            let wide = 0xF000 | scalar
            if (0xFF01...0xFF5E).contains(wide) {
                return (UInt8(truncatingIfNeeded: wide - 0xFEE0), 3)
            }
            if wide == 0xFE6B { return (UInt8(ascii: "@"), 3) }
        }
        return (byte < 0x80 ? byte : 0xFF, 1)
    }

    /// `%40`, and `%2540` as well, however often the percent sign itself was coded.
    private static func percent(_ text: [UInt8], at index: Int) -> (value: UInt8, length: Int) {
        var digits = index + 1
        while digits + 1 < text.count, text[digits] == 0x32, text[digits + 1] == 0x35 {
            digits += 2
        }
        guard digits + 1 < text.count, let high = hexadecimal(text[digits]),
            let low = hexadecimal(text[digits + 1])
        else { return (text[index], 1) }
        let value = high << 4 | low
        return (value < 0x80 ? value : 0xFF, digits + 2 - index)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    subscript(index: Int) -> UInt8? {
        units.indices.contains(index) ? units[index] : nil
    }

    /// The text with three stars in place of these characters.
    func replacing(_ range: Range<Int>) -> String {
        guard let first = starts[range].first, let last = ends[range].last else {
            return String(decoding: text, as: UTF8.self)
        }
        let shown = text[..<Int(first)] + Array("***".utf8) + text[Int(last)...]
        return String(decoding: shown, as: UTF8.self)
    }

    /// Where blanks and control characters at the beginning end.
    var firstVisible: Int { units.firstIndex { $0 > 0x20 } ?? units.count }

    /// The scheme in small letters, if a word of letters and a colon stand here.
    func scheme(at start: Int) -> String? {
        guard let colon = colons.first(where: { $0 >= start }), colon - start <= 16 else {
            return nil
        }
        let name = units[start..<colon]
        let isWord = name.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
        guard isWord, name.count > 1 else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ value: UInt8) -> Bool { (0x61...0x7A).contains(value | 0x20) }

    private static func isDigit(_ value: UInt8) -> Bool { (0x30...0x39).contains(value) }

    private static func isSlash(_ value: UInt8) -> Bool { value == 0x2F || value == 0x5C }

    /// How many slashes stand from here on, either way round and with blanks among them.
    func slashes(at start: Int) -> Int {
        var count = 0
        var index = start
        while let value = self[index], Self.isSlash(value) || count > 0 && value <= 0x20 {
            count = Self.isSlash(value) ? index - start + 1 : count
            index += 1
        }
        return count
    }

    /// The letters and digits from `start` on, in lower case; nil if there are more than 16.
    func word(at start: Int) -> String? {
        let word = units[min(start, units.count)...].prefix {
            Self.isLetter($0) || Self.isDigit($0)
        }
        return word.count <= 16 ? String(decoding: word, as: UTF8.self).lowercased() : nil
    }

    /// The positions behind each run of two or more slashes.
    var slashEnds: [Int] {
        var ends: [Int] = []
        var index = 0
        while index < units.count {
            let count = slashes(at: index)
            index += max(count, 1)
            if count > 1 { ends.append(index) }
        }
        return ends
    }

    /// Tells whether the authority that begins at `start` has a colon.
    func hasColon(from start: Int) -> Bool {
        for value in units[min(start, units.count)...] {
            if value == 0x3A { return true }
            if Self.isSlash(value) || value == 0x3F || value == 0x23 { return false }
        }
        return false
    }

    /// How many letters, digits and signs of a scheme stand before a colon.
    func wordLength(before colon: Int) -> Int {
        units[..<colon].reversed().prefix {
            Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }.count
    }

    func firstSlash(from start: Int) -> Int? {
        units[start...].firstIndex { Self.isSlash($0) }
    }

    /// What could be a secret in an authority that begins here, with all that stands up to its `@`.
    ///
    /// An authority ends at the first slash, question mark or hash. A password may hold these in
    /// the mind of whoever typed it, so that only a host that looks like one ends the search:
    /// `cdn.example` behind the `@`, or `cdn.example:8080` where there is none.
    func secret(from start: Int) -> Range<Int>? {
        guard let last = lastAt, start < last else { return nil }
        let end =
            units[start...].firstIndex {
                Self.isSlash($0) || $0 == 0x3F || $0 == 0x23
            } ?? units.count
        var found: Range<Int>?
        if let at = lastAt(in: start..<end) {
            let host = at + 1..<end
            found = start..<(isHost(host, withPort: false) ? at : last)
        } else if units[start..<end].contains(0x3A),
            !isHost(start..<end, withPort: true)
        {
            found = start..<last
        }
        guard let found, !found.isEmpty else { return nil }
        let isHidden = units[found].allSatisfy { $0 == UInt8(ascii: "*") }
        return isHidden ? nil : found
    }

    func lastAt(in range: Range<Int>) -> Int? {
        units[range].lastIndex(of: UInt8(ascii: "@"))
    }

    /// A name with a dot in it, `localhost`, or an address in brackets.
    private func isHost(_ range: Range<Int>, withPort: Bool) -> Bool {
        var name = units[range]
        if withPort {
            var port = 0
            while let last = name.last, Self.isDigit(last), port < 6 {
                name.removeLast()
                port += 1
            }
            guard (1...5).contains(port), name.popLast() == 0x3A else {
                return name.first == 0x5B && name.last == 0x5D
            }
        }
        if name.first == 0x5B, name.last == 0x5D { return true }
        if name.isEmpty || name.contains(0x3A) { return false }
        return name.dropFirst().dropLast().contains(0x2E)
            || name.elementsEqual("localhost".utf8)
    }

    /// The words of a sentence: what blanks, quotes and commas keep apart.
    var words: [Range<Int>] {
        let breaks: [UInt8] = [0x22, 0x27, 0x2C, 0x3B, 0x3C, 0x3E, 0x60]
        return units.split { $0 <= 0x20 || breaks.contains($0) }.map { $0.startIndex..<$0.endIndex }
    }
}
