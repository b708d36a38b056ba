import CLibCurl
import Glibc

/// A URL of http or https that may be asked for: read once, by the parser that also connects.
package struct WebAddress: Sendable, Equatable {
    /// What stands before the `@` of a URL.
    struct Credentials: Sendable, Hashable {
        let user: String
        let password: String
    }

    /// As it is sent: without credentials and fragment.
    package let text: String
    package let isSecure: Bool
    /// In lower case; an IPv6 literal without its brackets.
    package let host: String
    package let port: Int
    /// Percent-decoded; never part of `text`.
    let credentials: Credentials?
    /// The 4 or 16 bytes of a host that is an address already.
    let literal: [UInt8]?

    /// Scheme, name and port, by which politeness is counted.
    package var origin: String {
        "\(isSecure ? "https" : "http")://\(literal?.count == 16 ? "[\(host)]" : host):\(port)"
    }

    /// Reads a URL as listed.
    ///
    /// Spaces behind the host are sent as `%20`, and names beyond ASCII are looked up in their
    /// `xn--` form. Refuses what different parsers read differently: control characters,
    /// backslashes, percent signs in hosts, empty and zero ports.
    package init(_ listed: String) throws(NetworkFailure) {
        guard !listed.isEmpty else { throw NetworkFailure(.missingURL) }
        guard !SourceMask.isMasked(listed) else {
            throw NetworkFailure(
                .badURL, "The URL has a hidden part: replace *** with the original text.")
        }
        let listed = URLSpelling.withoutSpaces(listed)
        try URLSpelling.check(listed)
        guard var handle = URLHandle(), handle.read(listed) else {
            throw NetworkFailure(.badURL, "The URL cannot be parsed.")
        }
        try self.init(handle)
    }

    /// Where a `Location` leads from here; credentials in it are dropped.
    package func following(_ location: String) throws(NetworkFailure) -> WebAddress {
        guard !location.isEmpty else {
            throw NetworkFailure(.redirect, "The Location header of the redirect is empty.")
        }
        guard location.utf8.count <= URLSpelling.bytesLimit,
            !location.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x5C })
        else {
            throw NetworkFailure(
                .redirect,
                "The Location header of the redirect is not a valid URL.")
        }
        if let scheme = URLSpelling.scheme(of: location), scheme != "http", scheme != "https" {
            throw NetworkFailure(
                .redirect, "Redirect to the unsupported scheme \(scheme).")
        }
        guard var handle = URLHandle(), handle.read(text), handle.read(location),
            let next = try? WebAddress(handle)
        else {
            throw NetworkFailure(
                .redirect,
                "The Location header of the redirect is not a valid URL.")
        }
        if isSecure, !next.isSecure {
            throw NetworkFailure(.redirect, "Redirect from https to http.")
        }
        return next.withoutCredentials
    }

    /// Whether headers meant for this host may go to `other`: the same name and port, or the same
    /// name moved from plain http to https on their usual ports.
    func sharesHeaders(with other: WebAddress) -> Bool {
        guard host == other.host else { return false }
        if isSecure == other.isSecure { return port == other.port }
        return other.isSecure && port == 80 && other.port == 443
    }

    private var withoutCredentials: WebAddress {
        WebAddress(
            text: text, isSecure: isSecure, host: host, port: port, credentials: nil,
            literal: literal)
    }

    private init(
        text: String, isSecure: Bool, host: String, port: Int, credentials: Credentials?,
        literal: [UInt8]?
    ) {
        self.text = text
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.credentials = credentials
        self.literal = literal
    }

    /// Before anything is judged: signs beyond ASCII can stand for an address, too. Read again as a
    /// whole, since only then are the numbers in a host, and what a percent sign stood for, what they
    /// are to whoever connects.
    private static func nameInASCII(_ handle: inout URLHandle) throws(NetworkFailure) {
        guard let host = handle.part(CURLUPART_HOST) else { return }
        let noName = NetworkFailure(
            .badURL,
            "The host has non-ASCII characters that form no valid name; write the xn-- form.")
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
        if !isASCII {
            guard HostSpelling.knowsNames else {
                throw NetworkFailure(
                    .badURL,
                    "Non-ASCII host names need libidn2. Install the Debian package libidn2-0, or "
                        + "write the xn-- form.")
            }
            guard let ascii = HostSpelling.ascii(host), handle.set(CURLUPART_HOST, to: ascii) else {
                throw noName
            }
        }
        guard let whole = handle.part(CURLUPART_URL), handle.read(whole) else {
            throw isASCII ? NetworkFailure(.badURL, "The URL cannot be parsed.") : noName
        }
    }

    private init(_ handle: consuming URLHandle) throws(NetworkFailure) {
        let isSecure = handle.part(CURLUPART_SCHEME)?.lowercased() == "https"
        try Self.nameInASCII(&handle)
        guard let listedHost = handle.part(CURLUPART_HOST)?.lowercased(),
            let portText = handle.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT),
            let port = Int(portText), (1...65_535).contains(port)
        else { throw NetworkFailure(.badURL, "The host or port of the URL is invalid.") }
        let user = handle.part(CURLUPART_USER, flags: CURLU_URLDECODE)
        let password = handle.part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE)
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            _ = handle.remove(part)
        }
        guard let text = handle.part(CURLUPART_URL) else {
            throw NetworkFailure(.badURL, "The URL cannot be parsed.")
        }
        guard let (host, literal) = HostSpelling.judge(listedHost) else {
            throw NetworkFailure(
                .badURL,
                "The host of the URL is neither a name nor an address.")
        }
        var credentials: Credentials?
        if user != nil || password != nil {
            credentials = Credentials(user: user ?? "", password: password ?? "")
        }
        self.init(
            text: text, isSecure: isSecure, host: host, port: port, credentials: credentials,
            literal: literal)
    }
}
