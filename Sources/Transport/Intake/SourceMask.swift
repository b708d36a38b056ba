/// The form of a source in records and messages, without text that could be a user name or a
/// password. Only this type decides which text is hidden.
///
/// A text is masked whether it is a valid URL or not. Parsers disagree about which part of a text
/// is a password, so if two interpretations are possible, the mask hides the longer part.
package struct SourceMask: Hashable, Sendable {
    /// Whether queries are hidden as well: the text from the question mark on.
    package var hidesQueries: Bool

    package init(hidesQueries: Bool = false) {
        self.hidesQueries = hidesQueries
    }

    /// Returns the text of a source without its password, and without its query if `hidesQueries`
    /// is set.
    package func shown(_ source: String) -> String {
        // A `data:` URI holds the bytes of an image, perhaps megabytes, and no password.
        if Self.isData(source) { return source }
        let text = Self.hidden(source) { Self.secret(ofSource: $0) }
        guard hidesQueries,
            let mark = text.firstIndex(of: "?"), Self.isURL(text)
        else { return text }
        return text[..<mark] + "?***"
    }

    /// Returns whether a part of the source was replaced by `***`. Such a text, copied from a
    /// record, cannot be loaded.
    package static func isMasked(_ source: String) -> Bool {
        !isData(source) && (source.contains("/***@") || source.hasSuffix("?***"))
    }

    /// Returns a sentence without the passwords of the sources in it.
    package static func inside(message: String) -> String {
        hidden(message) { secret(inURLsOf: $0) ?? secret(inWordsOf: $0) }
    }

    /// Returns a text that is not a source (a label, an unknown column) without the passwords of
    /// the URLs in it. Text without slashes stays as it is.
    package static func inside(text: String) -> String {
        hidden(text) { text in
            let first = text.firstVisible
            let slashes = text.slashes(at: first)
            let start = slashes > 1 ? text.secret(from: first + slashes) : nil
            return start ?? secret(inURLsOf: text) ?? secret(behindSlashesOf: text)
        }
    }

    /// Hides the secrets one by one, each up to its `@`. After `secretsLimit` secrets, the rest of
    /// the text up to the last `@` is hidden at once.
    private static func hidden(
        _ text: String, _ find: (MaskText) -> Range<Int>?
    ) -> String {
        var text = text
        for count in 0...secretsLimit {
            guard mayHoldSecret(text) else { break }
            let units = MaskText(text)
            guard let range = find(units) else { break }
            let end = count < secretsLimit ? range.upperBound : units.lastAt ?? range.upperBound
            text = units.replacing(range.lowerBound..<end)
        }
        return text
    }

    /// The number of secrets that are hidden one by one; it bounds the time for a hostile text.
    private static let secretsLimit = 16

    /// Returns whether the text may have an @: as itself, percent-encoded, or as a full-width
    /// character.
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

    // MARK: Finding a secret

    /// The schemes that are recognised without slashes. Any other word before a colon could be a
    /// user name.
    private static let schemes: Set<String> = [
        "http", "https", "ftp", "ftps", "sftp", "file", "ws", "wss", "ssh", "git", "smb", "dav",
        "s3",
    ]

    /// Finds a secret in a text that is a source.
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
            // The colon after the scheme is missing; a single slash may belong to a path.
            let end = first + scheme.utf8.count
            let slashes = text.slashes(at: end)
            if slashes > 1 || slashes == 1 && text.hasColon(from: end + 1) { start = end + slashes }
        }
        if let start, let secret = text.secret(from: start) { return secret }
        if let secret = secret(inURLsOf: text) ?? secret(behindSlashesOf: text) { return secret }
        return start == nil ? secret(inFirstWordOf: text, at: first) : nil
    }

    /// Finds a secret after a colon and slashes, anywhere in the text.
    private static func secret(inURLsOf text: MaskText) -> Range<Int>? {
        for colon in text.colons {
            let slashes = text.slashes(at: colon + 1)
            // A letter, a colon and one slash are the start of a Windows path.
            guard slashes > 1 || slashes == 1 && text.wordLength(before: colon) > 1 else {
                continue
            }
            if let secret = text.secret(from: colon + 1 + slashes) { return secret }
        }
        return nil
    }

    /// Finds a secret after two slashes without a colon before them, as after a misspelt scheme.
    private static func secret(behindSlashesOf text: MaskText) -> Range<Int>? {
        for end in text.slashEnds where text.hasColon(from: end) {
            if let secret = text.secret(from: end) { return secret }
        }
        return nil
    }

    /// Finds `user:password@host`, which other programs accept. A text that starts like a path, or
    /// has a slash before its colon, is a path.
    private static func secret(inFirstWordOf text: MaskText, at first: Int) -> Range<Int>? {
        guard let start = text[first], start != slash, start != UInt8(ascii: "."),
            let colon = text.colons.first(where: { $0 >= first }), let at = text.lastAt, colon < at,
            text.slashes(at: colon + 1) == 0,
            text.firstSlash(from: first).map({ colon < $0 }) ?? true
        else { return nil }
        let isHidden = at - first == 3 && (first..<at).allSatisfy { text[$0] == star }
        return isHidden ? nil : first..<at
    }

    /// Finds `user:password@host` or `//user@host` in any word of a sentence.
    private static func secret(inWordsOf text: MaskText) -> Range<Int>? {
        for word in text.words {
            let slashes = text.slashes(at: word.lowerBound)
            let start = word.lowerBound + (slashes > 1 ? slashes : 0)
            guard let at = text.lastAt(in: word), at > start else { continue }
            let colon = text.colons.first { $0 >= start && $0 < at }
            // The caller has already searched the URLs.
            let isURL = colon.map { text.slashes(at: $0 + 1) > 0 } ?? false
            let isHidden = (start..<at).allSatisfy { text[$0] == star }
            if !isHidden, slashes > 1 || (colon != nil && !isURL) { return start..<at }
        }
        return nil
    }

    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
}

/// A text as the most lenient parser reads it: percent-encoded and full-width characters are
/// decoded, also if they are encoded twice, and tabs and line ends are removed.
struct MaskText {
    private let text: [UInt8]
    /// The characters: ASCII, and 0xFF for everything else.
    private var units: [UInt8] = []
    /// The start and the end in `text` of the bytes of each character.
    private var starts: [UInt32] = []
    private var ends: [UInt32] = []
    private(set) var colons: [Int] = []
    /// The position of the last `@`.
    private(set) var lastAt: Int?

    init(_ string: String) {
        text = Array(string.utf8)
        units.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let (value, length) = Self.read(text, at: index)
            defer { index += length }
            // Browsers remove tabs and line ends anywhere in a URL.
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
            // U+FF01 to U+FF5E are full-width ASCII, U+FE6B is a small @.
            let scalar = UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F)
            let wide = 0xF000 | scalar
            if (0xFF01...0xFF5E).contains(wide) {
                return (UInt8(truncatingIfNeeded: wide - 0xFEE0), 3)
            }
            if wide == 0xFE6B { return (UInt8(ascii: "@"), 3) }
        }
        return (byte < 0x80 ? byte : 0xFF, 1)
    }

    /// Decodes `%40`, and also `%2540` with any number of encodings of the percent sign.
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

    /// Returns the text with `***` in place of the characters in `range`.
    func replacing(_ range: Range<Int>) -> String {
        guard let first = starts[range].first, let last = ends[range].last else {
            return String(decoding: text, as: UTF8.self)
        }
        let shown = text[..<Int(first)] + Array("***".utf8) + text[Int(last)...]
        return String(decoding: shown, as: UTF8.self)
    }

    /// The position of the first character that is neither blank nor control.
    var firstVisible: Int { units.firstIndex { $0 > 0x20 } ?? units.count }

    /// Returns the scheme that begins at `start`, in lower case; nil if there is none.
    func scheme(at start: Int) -> String? {
        URLGrammar.scheme(of: units[min(start, units.count)...])
    }

    /// Returns the length of the run of slashes, backslashes and blanks between them that begins at
    /// `start`.
    func slashes(at start: Int) -> Int {
        var count = 0
        var index = start
        while let value = self[index], URLGrammar.isSlash(value) || count > 0 && value <= 0x20 {
            count = URLGrammar.isSlash(value) ? index - start + 1 : count
            index += 1
        }
        return count
    }

    /// Returns the characters from `start` on that may be a scheme, in lower case; nil if they are
    /// more than 16.
    func word(at start: Int) -> String? {
        let word = units[min(start, units.count)...].prefix(while: URLGrammar.isOfScheme)
        return word.count <= 16 ? String(decoding: word, as: UTF8.self).lowercased() : nil
    }

    /// The position after each run of two or more slashes.
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

    /// Returns whether the authority that starts at `start` has a colon.
    func hasColon(from start: Int) -> Bool {
        for value in units[min(start, units.count)...] {
            if value == 0x3A { return true }
            if URLGrammar.endsAuthority(value) { return false }
        }
        return false
    }

    /// Returns the number of scheme characters before a colon.
    func wordLength(before colon: Int) -> Int {
        units[..<colon].reversed().prefix(while: URLGrammar.isOfScheme).count
    }

    func firstSlash(from start: Int) -> Int? {
        units[start...].firstIndex { URLGrammar.isSlash($0) }
    }

    /// Returns the range of a possible secret, up to its `@`, in an authority that begins at
    /// `start`.
    ///
    /// An authority ends at the first slash, question mark or hash. A user may have typed a
    /// password with these characters, so the search goes on unless a plausible host precedes them:
    /// `cdn.example` after the `@`, or `cdn.example:8080` without an `@`.
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

    /// Whether the range is a name with a dot, `localhost`, or an address in brackets.
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

    /// The words of a sentence, separated by blanks, quotes and commas.
    var words: [Range<Int>] {
        let breaks: [UInt8] = [0x22, 0x27, 0x2C, 0x3B, 0x3C, 0x3E, 0x60]
        return units.split { $0 <= 0x20 || breaks.contains($0) }.map { $0.startIndex..<$0.endIndex }
    }
}
