import CCurlShims
import Glibc

/// What can be said of a URL before anybody parses it.
enum URLSpelling {
    /// Longer than any server takes.
    static let bytesLimit = 16_384

    /// The text without spaces around it, and with `%20` for those behind its host, as people and
    /// browsers read it.
    static func withoutSpaces(_ text: String) -> String {
        guard text.utf8.contains(0x20) else { return text }
        let bytes = text.utf8.drop { $0 == 0x20 }
        guard let last = bytes.lastIndex(where: { $0 != 0x20 }) else { return "" }
        let bare = bytes[...last]
        guard let start = Substring(bare).firstRange(of: "://")?.upperBound,
            let end = bare[start...].firstIndex(where: { "/?#".utf8.contains($0) })
        else { return String(Substring(bare)) }
        return String(Substring(bare[..<end]))
            + Substring(bare[end...]).replacing(" ", with: "%20")
    }

    /// Throws for a text that is no http(s) URL in a spelling that all parsers agree on.
    static func check(_ text: String) throws(NetworkFailure) {
        let bytes = text.utf8
        guard bytes.count <= bytesLimit else {
            throw NetworkFailure(.badURL, "The URL is longer than \(bytesLimit) bytes.")
        }
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5C }) else {
            throw NetworkFailure(
                .badURL,
                "The URL contains a space, a backslash or a control character.")
        }
        guard let scheme = scheme(of: text) else {
            throw NetworkFailure(.badURL, "The URL has no scheme.")
        }
        guard scheme == "http" || scheme == "https" else {
            throw NetworkFailure(.unsupportedScheme, "The scheme \(scheme) is not supported.")
        }
        let rest = bytes.dropFirst(scheme.utf8.count + 1)
        guard rest.starts(with: "//".utf8) else {
            throw NetworkFailure(.badURL, "The URL has no // after the scheme.")
        }
        let authority = rest.dropFirst(2).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        let lastAt = authority.lastIndex(of: UInt8(ascii: "@"))
        let host = lastAt.map { authority[authority.index(after: $0)...] } ?? authority
        guard !host.isEmpty else { throw NetworkFailure(.badURL, "The URL has no host.") }
        guard host.last != UInt8(ascii: ":"), !host.contains(UInt8(ascii: "%")) else {
            throw NetworkFailure(
                .badURL,
                "The host of the URL contains a percent sign, or the port is empty.")
        }
    }

    /// The scheme in lower case, or nil where the text does not begin with one.
    static func scheme(of text: String) -> String? {
        var scheme = ""
        for byte in text.utf8.prefix(64) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                scheme.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                guard !scheme.isEmpty else { return nil }
                scheme.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ":"):
                return scheme.isEmpty ? nil : scheme
            default: return nil
            }
        }
        return nil
    }
}

/// What a parsed host is: a name that can be looked up, or an address.
enum HostSpelling {
    /// What turns names beyond ASCII into those that are looked up is installed.
    static var knowsNames: Bool { emb_knows_names() != 0 }

    /// A name beyond ASCII as it is looked up, `xn--…`; nil where that cannot be said of it.
    static func ascii(_ host: String) -> String? {
        guard host.utf8.count <= 1_024 else { return nil }
        var ascii = [CChar](repeating: 0, count: 254)
        let outcome = unsafe ascii.withUnsafeMutableBufferPointer {
            unsafe emb_ascii_name(host, $0.baseAddress, $0.count)
        }
        guard outcome == 0 else { return nil }
        return String(
            decoding: ascii.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The host without brackets, and its bytes where it is an address; nil where it is neither.
    static func judge(_ host: String) -> (host: String, literal: [UInt8]?)? {
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            let inner = String(host.dropFirst().dropLast())
            guard let six = address(inner, family: AF_INET6, count: 16) else { return nil }
            return (inner, six)
        }
        // A dot at the end changes how a name is looked up, not what it is.
        let bare = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        if let four = address(bare, family: AF_INET, count: 4) { return (host, four) }
        return isName(bare) ? (host, nil) : nil
    }

    /// What ends like an address and is none: other programs read one out of it.
    private static func endsInNumber(_ host: String) -> Bool {
        let last = host.split(separator: ".").last ?? ""
        guard last.hasPrefix("0x") else { return last.allSatisfy { ("0"..."9").contains($0) } }
        return last.dropFirst(2).allSatisfy { ("0"..."9").contains($0) || ("a"..."f").contains($0) }
    }

    private static func isName(_ host: String) -> Bool {
        guard host.utf8.count <= 253, !endsInNumber(host) else { return false }
        return host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy {
                        ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)
                            || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
    }

    private static func address(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let isAddress = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe text.withCString { unsafe inet_pton(family, $0, bytes.baseAddress) == 1 }
        }
        return isAddress ? bytes : nil
    }
}
