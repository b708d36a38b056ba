/// The form of a source in records and messages, without user names, passwords and, if asked,
/// queries. Only this type decides which text is hidden.
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
        let text = Self.hidden(source) { text in text.login(in: text.all).map { [$0] } ?? [] }
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
    ///
    /// - Parameter isNoSource: Returns whether a word such as `3:danger@top-left` only looks like a
    ///   login.
    package static func inside(
        message: String, except isNoSource: (String) -> Bool = { _ in false }
    ) -> String {
        hidden(message) { text in
            text.words.compactMap { isNoSource(text.string($0)) ? nil : text.login(in: $0) }
        }
    }

    /// Returns a text that is not a source (a label, an unknown column) without the passwords of
    /// the URLs in it. Text without slashes stays as it is.
    package static func inside(text: String) -> String { hidden(text) { _ in [] } }

    /// Returns a text without the user names and passwords of its URLs, and then without the parts
    /// that `find` returns.
    private static func hidden(_ text: String, _ find: (MaskText) -> [Range<Int>]) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") })
        else { return text }
        let whole = MaskText(text)
        let rest = MaskText(whole.hiding(whole.userInfos))
        return rest.hiding(find(rest))
    }

    private static func isData(_ source: String) -> Bool {
        URLGrammar.scheme(of: source.utf8) == "data"
            && source.utf8.contains(UInt8(ascii: ","))
            && !source.utf8.dropFirst(5).starts(with: "//".utf8)
    }

    private static func isURL(_ text: String) -> Bool {
        SourceReference.scheme(of: text) != nil || text.hasPrefix("//") || text.contains("://")
    }
}

/// A text whose encoded `:` and `@` are decoded, so that `u%3Apassword%40host` is found as well.
private struct MaskText {
    private static let colon = UInt8(ascii: ":")
    private static let at = UInt8(ascii: "@")

    private let text: [UInt8]
    private var units: [UInt8] = []
    /// The index in `text` of each unit, and of the end.
    private var starts: [Int] = []

    init(_ string: String) {
        text = Array(string.utf8)
        units.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var index = 0
        while index < text.count {
            starts.append(index)
            let isCoded = text[index] == UInt8(ascii: "%")
            switch isCoded ? text[(index + 1)...].prefix(2).map({ $0 | 0x20 }) : [] {
            case Array("40".utf8): units.append(Self.at)
            case Array("3a".utf8): units.append(Self.colon)
            default:
                units.append(text[index])
                index += 1
                continue
            }
            index += 3
        }
        starts.append(text.count)
    }

    var all: Range<Int> { units.indices }

    func string(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF8.self) }

    /// The words of a sentence, separated by blanks, quotes and commas, without a leading `./`.
    var words: [Range<Int>] {
        units.split(whereSeparator: Self.isBreak).map { word in
            let isHere = word.starts(with: "./".utf8)
            return word.startIndex + (isHere ? 2 : 0)..<word.endIndex
        }
    }

    private static func isBreak(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x22, 0x27, 0x2C, 0x3B, 0x3C, 0x3E, 0x60].contains(byte)
    }

    /// Returns the text with `***` in place of each range.
    func hiding(_ ranges: [Range<Int>]) -> String {
        var shown: [UInt8] = []
        var index = 0
        for range in ranges where !units[range].allSatisfy({ $0 == UInt8(ascii: "*") }) {
            shown += text[index..<starts[range.lowerBound]] + Array("***".utf8)
            index = starts[range.upperBound]
        }
        return String(decoding: shown + text[index...], as: UTF8.self)
    }

    /// The user names and passwords in the authorities of URLs, anywhere in the text.
    var userInfos: [Range<Int>] {
        var found: [Range<Int>] = []
        let lastAt = units.lastIndex(of: Self.at) ?? 0
        var index = 0
        while index < lastAt {
            let start = units[index...].firstIndex { !URLGrammar.isSlash($0) } ?? units.count
            guard start > index else {
                index += 1
                continue
            }
            let end = units[start...].firstIndex(where: URLGrammar.endsAuthority) ?? units.count
            let range =
                isAuthority(start..<end, behind: index..<start)
                ? userInfo(start..<end, lastAt) : nil
            if let range { found.append(range) }
            index = range?.upperBound ?? start
        }
        return found
    }

    /// Returns whether a run of slashes begins an authority: behind a scheme, at the start of a
    /// word, or before text with a colon, as after a misspelt scheme.
    private func isAuthority(_ authority: Range<Int>, behind slashes: Range<Int>) -> Bool {
        let before = units[..<slashes.lowerBound]
        if before.last == Self.colon {
            // A letter, a colon and one slash are the start of a Windows path.
            let scheme = before.dropLast().suffix(2)
            return slashes.count > 1
                || scheme.count == 2 && scheme.allSatisfy(URLGrammar.isOfScheme)
        }
        guard slashes.count > 1 else { return false }
        return before.last.map { Self.isBreak($0) || $0 >= 0x80 } ?? true
            || units[authority].contains(Self.colon)
    }

    /// Returns the user name and password of an authority. A password may have been typed with the
    /// characters that end an authority. So if the text after the colon is no port, everything up to
    /// the last `@` is hidden.
    private func userInfo(_ authority: Range<Int>, _ lastAt: Int) -> Range<Int>? {
        let own = units[authority]
        if let at = own.lastIndex(of: Self.at) { return own.startIndex..<at }
        guard let colon = own.lastIndex(of: Self.colon), own.endIndex < lastAt else { return nil }
        let port = own[(colon + 1)...]
        let isPort = (1...5).contains(port.count) && port.allSatisfy { (0x30...0x39).contains($0) }
        return isPort || own.last == UInt8(ascii: "]") ? nil : own.startIndex..<lastAt
    }

    /// Returns the login of a text such as `user:password@host`, which other programs accept. A text
    /// that starts like a path, or has a slash before its colon, is a path.
    func login(in range: Range<Int>) -> Range<Int>? {
        let word = units[range].drop { $0 <= 0x20 }
        guard let first = word.first, !URLGrammar.isSlash(first), first != UInt8(ascii: "."),
            let colon = word.firstIndex(of: Self.colon), let at = word.lastIndex(of: Self.at),
            colon < at, !URLGrammar.isSlash(units[colon + 1]),
            !word[..<colon].contains(where: URLGrammar.isSlash)
        else { return nil }
        return word.startIndex..<at
    }
}
