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
        source.utf8.prefix(5).elementsEqual("data:".utf8) { $0 == $1 || $0 &+ 0x20 == $1 }
            && source.utf8.contains(UInt8(ascii: ","))
            && !source.utf8.dropFirst(5).starts(with: "//".utf8)
    }

    private static func isURL(_ text: String) -> Bool {
        let scheme = SourceReference.scheme(of: text)
        return scheme != nil || text.hasPrefix("//") || text.contains("://")
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
