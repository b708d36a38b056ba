import CCurlShims
import CLibCurl
import Glibc

/// A URL of http or https, parsed once, by the parser of curl that also connects.
package struct WebAddress: Sendable, Equatable {
    struct Credentials: Sendable, Hashable {
        let user: String
        let password: String
        /// The scope of the signature that replaces the password in the request.
        var scope: String?
        /// The token of a temporary key, which is sent with the signature.
        var token: String?

        /// The header lines that a signature includes; the digest is that of an empty body.
        var signedHeaders: [String] {
            guard scope != nil else { return [] }
            let body =
                "x-amz-content-sha256: "
                + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            return [body] + (token.map { ["x-amz-security-token: \($0)"] } ?? [])
        }
    }

    /// The URL as it is sent: without credentials and fragment.
    package let text: String
    package let isSecure: Bool
    /// The host in lower case; an IPv6 literal without its brackets.
    package let host: String
    package let port: Int
    /// Percent-decoded; never part of `text`.
    var credentials: Credentials?
    /// The 4 or 16 bytes of a host that is an address.
    let literal: [UInt8]?

    /// Scheme, name and port, to which the limits per host apply.
    package var origin: String {
        "\(isSecure ? "https" : "http")://\(literal?.count == 16 ? "[\(host)]" : host):\(port)"
    }

    /// Parses a URL from a list or an argument.
    ///
    /// Spaces after the host are sent as `%20`, and non-ASCII names are resolved in their `xn--`
    /// form. Refuses text that parsers read differently: control characters, backslashes, percent
    /// signs in hosts, empty and zero ports.
    package init(_ listed: String) throws(ItemFailure) {
        guard !listed.isEmpty else { throw ItemFailure(.missingURL) }
        guard !SourceMask.isMasked(listed) else {
            throw ItemFailure(
                .badURL, "The URL has a hidden part: replace *** with the original text.")
        }
        let listed = Self.withoutSpaces(listed)
        try Self.check(listed)
        guard var handle = URLHandle(), handle.read(listed) else {
            throw ItemFailure(.badURL, "The URL cannot be parsed.")
        }
        try self.init(handle)
    }

    /// Returns the address that a `Location` header leads to from this address. Credentials in the
    /// header are dropped.
    package func following(_ location: String) throws(ItemFailure) -> WebAddress {
        let invalid = ItemFailure(
            .redirect, "The Location header of the redirect is not a valid URL.")
        guard !location.isEmpty else {
            throw ItemFailure(.redirect, "The Location header of the redirect is empty.")
        }
        guard location.utf8.count <= URLGrammar.bytesLimit, !Self.hasForbidden(location) else {
            throw invalid
        }
        if let scheme = URLGrammar.scheme(of: location.utf8), !Self.isSupported(scheme) {
            throw ItemFailure(
                .redirect, "Redirect to the unsupported scheme \(scheme).")
        }
        guard var handle = URLHandle(), handle.read(text), handle.read(location),
            var next = try? WebAddress(handle)
        else { throw invalid }
        if isSecure, !next.isSecure {
            throw ItemFailure(.redirect, "Redirect from https to http.")
        }
        next.credentials = nil
        return next
    }

    /// Returns whether headers for this host may be sent to `other`: the same name and port, or the
    /// same name moved from http to https on the default ports.
    func sharesHeaders(with other: WebAddress) -> Bool {
        guard host == other.host else { return false }
        if isSecure == other.isSecure { return port == other.port }
        return other.isSecure && port == 80 && other.port == 443
    }

    /// Returns the text without spaces around it, and with `%20` for spaces after the host, as
    /// browsers do.
    private static func withoutSpaces(_ text: String) -> String {
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

    /// Throws if the text is no http(s) URL in a spelling that all parsers agree on.
    private static func check(_ text: String) throws(ItemFailure) {
        guard text.utf8.count <= URLGrammar.bytesLimit else {
            throw ItemFailure(
                .badURL, "The URL is longer than \(URLGrammar.bytesLimit) bytes.")
        }
        guard !hasForbidden(text), !text.utf8.contains(0x20) else {
            throw ItemFailure(
                .badURL,
                "The URL contains a space, a backslash or a control character.")
        }
        guard let parts = URLGrammar.parts(of: text) else {
            throw ItemFailure(.badURL, "The URL has no scheme.")
        }
        guard isSupported(parts.scheme) else {
            throw ItemFailure(
                .unsupportedScheme, "The scheme \(parts.scheme) is not supported.")
        }
        guard parts.hasSlashes else {
            throw ItemFailure(.badURL, "The URL has no // after the scheme.")
        }
        guard parts.hasHost else { throw ItemFailure(.badURL, "The URL has no host.") }
        guard parts.host.last != UInt8(ascii: ":"), !parts.host.contains(UInt8(ascii: "%")) else {
            throw ItemFailure(
                .badURL,
                "The host of the URL contains a percent sign, or the port is empty.")
        }
    }

    private static func isSupported(_ scheme: String) -> Bool {
        scheme == "http" || scheme == "https"
    }

    /// Returns whether parsers interpret the text differently: it holds a backslash or a control
    /// character.
    private static func hasForbidden(_ text: String) -> Bool {
        URLGrammar.hasControl(text) || text.utf8.contains(UInt8(ascii: "\\"))
    }

    /// Converts the host to ASCII before any check, since non-ASCII digits can form an address. The
    /// URL is parsed again as a whole, so that numbers and decoded percent signs in the host are
    /// read as they are when curl connects.
    private static func convertHostToASCII(_ handle: inout URLHandle) throws(ItemFailure) {
        guard let host = handle.part(CURLUPART_HOST) else { return }
        let noName = ItemFailure(
            .badURL,
            "The host has non-ASCII characters that form no valid name; write the xn-- form.")
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
        if !isASCII {
            guard Self.knowsNames else {
                throw ItemFailure(
                    .badURL,
                    "Non-ASCII host names need libidn2. Install the Debian package libidn2-0, or "
                        + "write the xn-- form.")
            }
            guard let ascii = Self.ascii(host), handle.set(CURLUPART_HOST, to: ascii) else {
                throw noName
            }
        }
        guard let whole = handle.part(CURLUPART_URL), handle.read(whole) else {
            throw isASCII ? ItemFailure(.badURL, "The URL cannot be parsed.") : noName
        }
    }

    private init(_ handle: consuming URLHandle) throws(ItemFailure) {
        let isSecure = handle.part(CURLUPART_SCHEME)?.lowercased() == "https"
        try Self.convertHostToASCII(&handle)
        guard let listedHost = handle.part(CURLUPART_HOST)?.lowercased(),
            let portText = handle.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT),
            let port = Int(portText), (1...65_535).contains(port)
        else { throw ItemFailure(.badURL, "The host or port of the URL is invalid.") }
        let user = handle.part(CURLUPART_USER, flags: CURLU_URLDECODE)
        let password = handle.part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE)
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            _ = handle.remove(part)
        }
        guard let text = handle.part(CURLUPART_URL) else {
            throw ItemFailure(.badURL, "The URL cannot be parsed.")
        }
        guard let (host, literal) = Self.classify(listedHost) else {
            throw ItemFailure(
                .badURL,
                "The host of the URL is neither a name nor an address.")
        }
        self.text = text
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.literal = literal
        if user != nil || password != nil {
            credentials = Credentials(user: user ?? "", password: password ?? "")
        }
    }
}

/// Hosts: names that can be resolved, and addresses.
extension WebAddress {
    /// Whether libidn2 is installed, which converts non-ASCII names.
    private static var knowsNames: Bool { emb_idn_is_found() != 0 }

    /// Returns the `xn--` form of a non-ASCII name; nil if it has none.
    private static func ascii(_ host: String) -> String? {
        guard host.utf8.count <= 1_024 else { return nil }
        var ascii = [CChar](repeating: 0, count: 254)
        let outcome = unsafe ascii.withUnsafeMutableBufferPointer {
            unsafe emb_idn_to_ascii(host, $0.baseAddress, $0.count)
        }
        guard outcome == 0 else { return nil }
        return String(
            decoding: ascii.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the host without brackets, with its bytes if it is an address; nil if it is neither
    /// a name nor an address.
    private static func classify(_ host: String) -> (host: String, literal: [UInt8]?)? {
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            let inner = String(host.dropFirst().dropLast())
            guard let six = address(inner, family: AF_INET6, count: 16) else { return nil }
            return (inner, six)
        }
        // A dot at the end changes how a name is resolved, not its kind.
        let bare = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        if let four = address(bare, family: AF_INET, count: 4) { return (host, four) }
        return isName(bare) ? (host, nil) : nil
    }

    /// Whether the last label of a name is a number; other programs treat such a name as an
    /// address.
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

/// The URL parser of curl, so that the checks and the connection use the same parser.
@safe
struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    /// Returns nil if there is no memory.
    init?() {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Parses a URL, or a reference relative to the URL parsed before. Spaces and non-ASCII bytes
    /// in the path and query are percent-encoded.
    mutating func read(_ text: String) -> Bool {
        unsafe text.withCString { text in
            unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE)) == CURLUE_OK
        }
    }

    mutating func set(_ part: CURLUPart, to text: String) -> Bool {
        unsafe text.withCString { unsafe curl_url_set(handle, part, $0, 0) == CURLUE_OK }
    }

    mutating func remove(_ part: CURLUPart) -> Bool {
        unsafe curl_url_set(handle, part, nil, 0) == CURLUE_OK
    }

    /// Returns a part as text; nil if the URL has none.
    func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let outcome = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        guard outcome == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(validatingCString: text)
    }
}
