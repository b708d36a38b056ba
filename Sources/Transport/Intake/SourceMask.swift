/// How a source is shown in records and messages: what is secret in a URL is left out.
package struct SourceMask: Hashable, Sendable {
    /// Everything from the question mark on is hidden too.
    package var hidesQueries: Bool

    package init(hidesQueries: Bool = false) {
        self.hidesQueries = hidesQueries
    }

    /// The text of a source without its password, and without its query if that is wished.
    ///
    /// A user's name stands before the last `@` of the authority, whatever slashes the rest holds:
    /// where parsers could differ, more is hidden rather than less.
    package func shown(_ source: String) -> String {
        guard let start = Self.authority(of: source) else { return source }
        let rest = source[start...]
        let pathStart = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        var text = String(source[..<start])
        if let at = rest[..<pathStart].lastIndex(of: "@") {
            text += "***@" + rest[rest.index(after: at)...]
        } else {
            text += rest
        }
        guard hidesQueries, let mark = text.firstIndex(of: "?") else { return text }
        return text[..<mark] + "?***"
    }

    /// Where the authority of an http or https URL begins.
    private static func authority(of source: String) -> String.Index? {
        guard let scheme = SourceReference.scheme(of: source), scheme == "http" || scheme == "https"
        else { return nil }
        let rest = source.dropFirst(scheme.utf8.count + 1)
        return rest.firstIndex { $0 != "/" && $0 != "\\" }
    }
}
