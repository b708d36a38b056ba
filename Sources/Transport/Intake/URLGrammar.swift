/// The grammar of URLs, for rows of lists, requests, redirects and masking.
///
/// The callers differ only in what they accept. A row with one letter before a colon is a path
/// (`C:\logo.png`), while a request or redirect refuses the letter as a scheme. Masking scans a
/// decoded form of the text and hides a part if any parser could see a password in it.
package enum URLGrammar {
    /// The length limit of a URL in bytes, which is more than servers accept.
    package static let bytesLimit = 16_384
    /// The length limit of a scheme in bytes.
    package static let schemeBytesLimit = 64

    struct Parts {
        let scheme: String
        let hasSlashes: Bool
        /// The bytes between `//` and the next slash, backslash, `?` or `#`.
        let authority: Substring.UTF8View

        /// The host and port, without the user and password.
        var host: Substring.UTF8View {
            authority.lastIndex(of: UInt8(ascii: "@"))
                .map { authority[authority.index(after: $0)...] } ?? authority
        }

        /// Whether there is a host; a URL such as `http://:80/` or `http://@/` has none.
        var hasHost: Bool {
            guard let first = authority.first else { return false }
            return first != UInt8(ascii: ":") && first != UInt8(ascii: "@") && !host.isEmpty
        }
    }

    static func parts(of text: String) -> Parts? {
        guard let scheme = scheme(of: text.utf8) else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
        let hasSlashes = rest.starts(with: "//".utf8)
        let authority = rest.dropFirst(hasSlashes ? 2 : rest.count).prefix { !endsAuthority($0) }
        return Parts(
            scheme: scheme, hasSlashes: hasSlashes, authority: authority)
    }

    /// Returns the host of a URL as written, in lower case and without brackets; nil for other
    /// text.
    package static func host(of text: String) -> String? {
        guard let parts = parts(of: text), parts.hasSlashes else { return nil }
        let host = parts.host
        if host.first == UInt8(ascii: "[") {
            return Substring(host.dropFirst().prefix { $0 != UInt8(ascii: "]") }).lowercased()
        }
        return Substring(host.prefix { $0 != UInt8(ascii: ":") }).lowercased()
    }

    /// Returns scheme, host and port of a URL as written, in lower case. Two spellings of one
    /// origin may give different texts.
    package static func origin(of text: String) -> String? {
        parts(of: text).map { "\($0.scheme)://" + Substring($0.host).lowercased() }
    }

    /// Returns the scheme in lower case: a letter, then letters, digits, `+`, `-` and `.` up to a
    /// colon.
    package static func scheme(of bytes: some Sequence<UInt8>) -> String? {
        var name: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: ":") {
                return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            }
            guard isOfScheme(byte), !name.isEmpty || isLetter(byte), name.count < schemeBytesLimit
            else { return nil }
            name.append(isLetter(byte) ? byte | 0x20 : byte)
        }
        return nil
    }

    static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isLetter(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Returns whether the byte is a slash or backslash, which browsers treat alike.
    static func isSlash(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x5C }

    /// Returns whether the byte ends the part with host and port.
    static func endsAuthority(_ byte: UInt8) -> Bool {
        isSlash(byte) || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Returns whether a text holds a control character: U+0000 to U+001F, or U+007F to U+009F.
    static func hasControl(_ text: String) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            if byte < 0x20 || byte == 0x7F || last == 0xC2 && (0x80...0x9F).contains(byte) {
                return true
            }
            last = byte
        }
        return false
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without spaces and tabs around them.
    var withoutBlanks: SubSequence {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isBlank)
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    package var withoutBlanks: String { String(Substring(self).utf8.withoutBlanks) ?? "" }
}
