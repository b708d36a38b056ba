/// How a source is shown in records and messages: whatever could be a user's name or a password is
/// left out. This is the one place that decides so.
///
/// The text alone decides, before anybody knows whether it is a URL at all: parsers differ in where
/// they see a password, so where two readings are possible the one that hides more is taken.
package struct SourceMask: Hashable, Sendable {
    /// Everything from the question mark on is hidden too.
    package var hidesQueries: Bool

    package init(hidesQueries: Bool = false) {
        self.hidesQueries = hidesQueries
    }

    /// The text of a source without its password, and without its query if that is wished.
    package func shown(_ source: String) -> String {
        // Bytes of a picture, and perhaps megabytes of them: told by their first letters.
        if Self.isData(source) { return source }
        let text = Self.hidden(source) { Self.secret(ofSource: $0) }
        guard hidesQueries,
            let mark = text.firstIndex(of: "?"), Self.isURL(text)
        else { return text }
        return text[..<mark] + "?***"
    }

    /// Whether something was left out of a source as it is shown, so that it is another one now.
    package static func isMasked(_ source: String) -> Bool {
        !isData(source) && (source.contains("/***@") || source.hasSuffix("?***"))
    }

    /// A sentence without the passwords of the sources that it names.
    package static func inside(message: String) -> String {
        hidden(message) { secret(inURLsOf: $0) ?? secret(inWordsOf: $0) }
    }

    /// A text that is nobody's source (a label, a column that nobody knows) without the passwords
    /// of the URLs in it. What has no slashes is left as it is.
    package static func inside(text: String) -> String {
        hidden(text) { text in
            let first = text.firstVisible
            let slashes = text.slashes(at: first)
            let start = slashes > 1 ? text.secret(from: first + slashes) : nil
            return start ?? secret(inURLsOf: text) ?? secret(behindSlashesOf: text)
        }
    }

    /// Hides one secret after the other, each up to the `@` behind it; should there be very many, all
    /// that is left at once.
    private static func hidden(
        _ text: String, _ find: (MaskText) -> Range<Int>?
    ) -> String {
        var text = text
        for turn in 0...secretsLimit {
            guard mayHoldSecret(text) else { break }
            let units = MaskText(text)
            guard let range = find(units) else { break }
            let end = turn < secretsLimit ? range.upperBound : units.lastAt ?? range.upperBound
            text = units.replacing(range.lowerBound..<end)
        }
        return text
    }

    private static let secretsLimit = 16

    /// There is an @ as it stands, in percent code, or in wide letters.
    private static func mayHoldSecret(_ text: String) -> Bool {
        text.utf8.contains { $0 == 0x40 || $0 == 0x25 || $0 == 0xEF }
    }

    private static func isData(_ source: String) -> Bool {
        URLGrammar.scheme(of: source.utf8) == "data"
            && source.utf8.contains(UInt8(ascii: ","))
            && !source.utf8.dropFirst(5).starts(with: "//".utf8)
    }

    private static func isURL(_ text: String) -> Bool {
        SourceReference.scheme(of: text) != nil || text.hasPrefix("//") || text.contains("://")
    }

    // MARK: Where a secret lies

    /// Schemes that are told even where no slashes follow; any other word before a colon could be
    /// a user's name.
    private static let schemes: Set<String> = [
        "http", "https", "ftp", "ftps", "sftp", "file", "ws", "wss", "ssh", "git", "smb", "dav",
        "s3", "gs",
    ]

    private static func secret(ofSource text: MaskText) -> Range<Int>? {
        let first = text.firstVisible
        let slashes = text.slashes(at: first)
        var start: Int?
        if slashes >= 2 {
            start = first + slashes
        } else if let scheme = text.scheme(at: first), schemes.contains(scheme) {
            let end = first + scheme.utf8.count + 1
            start = end + text.slashes(at: end)
        } else if let scheme = text.word(at: first), schemes.contains(scheme) {
            // The colon behind the scheme was forgotten; a single slash may belong to a path.
            let end = first + scheme.utf8.count
            let slashes = text.slashes(at: end)
            if slashes > 1 || slashes == 1 && text.hasColon(from: end + 1) { start = end + slashes }
        }
        if let start, let secret = text.secret(from: start) { return secret }
        if let secret = secret(inURLsOf: text) ?? secret(behindSlashesOf: text) { return secret }
        return start == nil ? secret(inFirstWordOf: text, at: first) : nil
    }

    /// Behind a colon and slashes, wherever they stand.
    private static func secret(inURLsOf text: MaskText) -> Range<Int>? {
        for colon in text.colons {
            let slashes = text.slashes(at: colon + 1)
            // A letter, a colon and one slash begin a path of other systems.
            guard slashes > 1 || slashes == 1 && text.wordLength(before: colon) > 1 else {
                continue
            }
            if let secret = text.secret(from: colon + 1 + slashes) { return secret }
        }
        return nil
    }

    /// Behind two slashes without a colon before them, as behind a misspelt scheme.
    private static func secret(behindSlashesOf text: MaskText) -> Range<Int>? {
        for end in text.slashEnds where text.hasColon(from: end) {
            if let secret = text.secret(from: end) { return secret }
        }
        return nil
    }

    /// `user:password@host`, as other programs take it. What begins like a path, or whose colon
    /// stands behind a slash, is one.
    private static func secret(inFirstWordOf text: MaskText, at first: Int) -> Range<Int>? {
        guard let start = text[first], start != slash, start != UInt8(ascii: "."),
            let colon = text.colons.first(where: { $0 >= first }), let at = text.lastAt, colon < at,
            text.slashes(at: colon + 1) == 0,
            text.firstSlash(from: first).map({ colon < $0 }) ?? true
        else { return nil }
        let isHidden = at - first == 3 && (first..<at).allSatisfy { text[$0] == star }
        return isHidden ? nil : first..<at
    }

    /// The same for every word of a sentence, and for what begins with slashes.
    private static func secret(inWordsOf text: MaskText) -> Range<Int>? {
        for word in text.words {
            let slashes = text.slashes(at: word.lowerBound)
            let start = word.lowerBound + (slashes > 1 ? slashes : 0)
            guard let at = text.lastAt(in: word), at > start else { continue }
            let colon = text.colons.first { $0 >= start && $0 < at }
            // URLs were looked at before.
            let isURL = colon.map { text.slashes(at: $0 + 1) > 0 } ?? false
            let isHidden = (start..<at).allSatisfy { text[$0] == star }
            if !isHidden, slashes > 1 || (colon != nil && !isURL) { return start..<at }
        }
        return nil
    }

    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
}

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

    /// Returns the scheme in lower case if one begins here.
    func scheme(at start: Int) -> String? {
        URLGrammar.scheme(of: units[min(start, units.count)...])
    }

    /// How many slashes stand from here on, either way round and with blanks among them.
    func slashes(at start: Int) -> Int {
        var count = 0
        var index = start
        while let value = self[index], URLGrammar.isSlash(value) || count > 0 && value <= 0x20 {
            count = URLGrammar.isSlash(value) ? index - start + 1 : count
            index += 1
        }
        return count
    }

    /// Returns the characters of a scheme from `start` on, in lower case; nil if they are more than 16.
    func word(at start: Int) -> String? {
        let word = units[min(start, units.count)...].prefix(while: URLGrammar.isOfScheme)
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
            if URLGrammar.endsAuthority(value) { return false }
        }
        return false
    }

    /// How many letters, digits and signs of a scheme stand before a colon.
    func wordLength(before colon: Int) -> Int {
        units[..<colon].reversed().prefix(while: URLGrammar.isOfScheme).count
    }

    func firstSlash(from start: Int) -> Int? {
        units[start...].firstIndex { URLGrammar.isSlash($0) }
    }

    /// What could be a secret in an authority that begins here, with all that stands up to its `@`.
    ///
    /// An authority ends at the first slash, question mark or hash. A password may hold these in
    /// the mind of whoever typed it, so that only a host that looks like one ends the search:
    /// `cdn.example` behind the `@`, or `cdn.example:8080` where there is none.
    func secret(from start: Int) -> Range<Int>? {
        guard let last = lastAt, start < last else { return nil }
        let end = units[start...].firstIndex(where: URLGrammar.endsAuthority) ?? units.count
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
            while let last = name.last, (0x30...0x39).contains(last), port < 6 {
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
