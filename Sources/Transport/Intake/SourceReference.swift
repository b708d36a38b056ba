import Notation

/// A source of an image: the text as the user gave it, and the kind of source.
///
/// A text is a URL if it starts with a scheme (``URLGrammar``) of at least two letters:
/// `C:\logo.png` and `a:b.png` are paths. A path that looks like a URL is written with `./` in
/// front.
package struct SourceReference: Sendable {
    package enum Kind: Hashable, Sendable {
        case file(FilePath)
        /// An http or https URL, or an object in a bucket (`s3:`). Only its scheme, its
        /// characters and the presence of a host were checked.
        case remote
        case data
        /// The name of a built-in icon, not yet checked.
        case icon(String)
        case standardInput
        /// An image that the caller passed together with the row.
        case given
    }

    package let text: String
    package let kind: Kind

    package init(text: String, kind: Kind) {
        self.text = text
        self.kind = kind
    }

    /// The length limit of a path on Linux, in bytes.
    package static let pathBytesLimit = 4_095

    /// Returns the source of an argument; `-` is standard input, and `file:` URLs are accepted.
    package static func argument(_ text: String) throws(ItemFailure) -> SourceReference {
        if text == "-" { return SourceReference(text: text, kind: .standardInput) }
        if scheme(of: text) == "file" {
            return SourceReference(text: text, kind: .file(try path(ofFileURL: text)))
        }
        if let kind = try urlKind(text) { return SourceReference(text: text, kind: kind) }
        return SourceReference(text: text, kind: .file(try path(text, refuseControls: false)))
    }

    /// Returns the source of a row of a list whose relative paths start at `folder`. Blanks around
    /// a path are removed and control characters are refused, unless `verbatim` is set.
    package static func listed(
        _ text: String?, in folder: FilePath, remoteOnly: Bool, verbatim: Bool = false
    ) throws(ItemFailure) -> SourceReference {
        guard let text, !text.isEmpty else { throw ItemFailure(.missingURL, "no source is given") }
        let pathsRefused = ItemFailure(
            .unsupportedScheme, "paths are refused with --remote-only")
        if remoteOnly, scheme(of: text) == "file" { throw pathsRefused }
        if let kind = try urlKind(text) { return SourceReference(text: text, kind: kind) }
        // Spaces before a URL are a mistake in the list, and are ignored.
        if text.utf8.first == 0x20, let kind = try urlKind(String(text.drop { $0 == " " })),
            kind == .remote
        {
            return SourceReference(text: text, kind: kind)
        }
        guard !remoteOnly else { throw pathsRefused }
        let path = try path(
            verbatim ? text : text.withoutBlanks, refuseControls: !verbatim)
        return SourceReference(text: text, kind: .file(folder.appending(path)))
    }

    /// Returns the URL that a path was probably meant to be: it starts with `www.` or with a name
    /// under a common top-level domain. Returns nil for any other path.
    package static func forgottenScheme(in text: String) -> String? {
        guard scheme(of: text) == nil, !text.utf8.contains(0x20) else { return nil }
        let host = text.prefix { $0 != "/" }.lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }),
            host.utf8.allSatisfy({ isOfHost($0) })
        else { return nil }
        let isKnown = ["com", "org", "net", "io", "co", "de", "eu", "uk", "fr"].contains(
            labels.last)
        guard labels[0] == "www" || isKnown && host.utf8.count < text.utf8.count else { return nil }
        return "https://" + text
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E: true
        default: false
        }
    }

    /// Returns the scheme in lower case if the text starts with one of at least two characters.
    package static func scheme(of text: String) -> String? {
        URLGrammar.scheme(of: text.utf8).flatMap { $0.utf8.count > 1 ? $0 : nil }
    }

    private static func urlKind(_ text: String) throws(ItemFailure) -> Kind? {
        switch scheme(of: text) {
        case nil: return nil
        case "http", "https", "s3":
            try checkRemote(text)
            return .remote
        case "data":
            guard !text.utf8.contains(0) else {
                throw ItemFailure(.badURL, "the data: URI contains a NUL")
            }
            return .data
        case "icon": return .icon(String(text.dropFirst("icon:".count)))
        case "file":
            throw ItemFailure(
                .unsupportedScheme, "file: URLs are only accepted as arguments; write a path")
        case .some(let scheme):
            // The word before the colon may be a user name. If the mask hides it, the message does
            // not contain it.
            guard SourceMask().shown(text).lowercased().hasPrefix(scheme) else {
                throw ItemFailure(
                    .unsupportedScheme, "the scheme is not supported; for a path, put ./ before it")
            }
            throw ItemFailure(
                .unsupportedScheme,
                "the scheme \(scheme): is not supported; for a path, write ./\(scheme):…")
        }
    }

    private static func checkRemote(_ text: String) throws(ItemFailure) {
        guard text.utf8.count <= URLGrammar.bytesLimit else {
            throw ItemFailure(.badURL, "the URL is longer than \(URLGrammar.bytesLimit) bytes")
        }
        guard !URLGrammar.hasControl(text) else {
            throw ItemFailure(.badURL, "the URL contains a control character")
        }
        guard let parts = URLGrammar.parts(of: text), parts.hasSlashes, parts.hasHost else {
            throw ItemFailure(.badURL, "the URL has no host")
        }
    }

    private static func path(
        _ text: String, refuseControls: Bool
    ) throws(ItemFailure) -> FilePath {
        guard !text.isEmpty else { throw ItemFailure(.missingURL, "no source is given") }
        guard text.utf8.count <= pathBytesLimit else {
            throw ItemFailure(.badURL, "the path is longer than \(pathBytesLimit) bytes")
        }
        let isBad = refuseControls ? URLGrammar.hasControl(text) : text.utf8.contains(0)
        guard !isBad else { throw ItemFailure(.badURL, "the path contains a control character") }
        return FilePath(text)
    }

    private static func path(ofFileURL text: String) throws(ItemFailure) -> FilePath {
        let rest = text.utf8.dropFirst(5).prefix {
            $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard rest.starts(with: "/".utf8) else {
            throw ItemFailure(
                .badURL, "a file: URL needs an absolute path, as in file:///home/me/logo.png")
        }
        var path = Array(rest)
        if path.starts(with: "//".utf8) {
            path.removeFirst(2)
            let slash = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            let host = path[..<slash].map { $0 | 0x20 }
            guard host.isEmpty || host.elementsEqual("localhost".utf8) else {
                throw ItemFailure(.badURL, "a file: URL cannot name another host")
            }
            path.removeFirst(slash)
        }
        let decoded = PercentCoding.decoded(path.span)
        guard !decoded.isEmpty, !decoded.contains(0), decoded.count <= pathBytesLimit else {
            throw ItemFailure(.badURL, "the file: URL has no valid path")
        }
        return FilePath(bytes: decoded)
    }
}
