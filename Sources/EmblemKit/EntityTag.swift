import Digest

/// A strong `ETag` of an HTTP response, made from the bytes of its body.
///
/// Equal sources and looks give equal bytes, so the tag stays the same after a restart.
///
/// ```swift
/// if tag.matches(request.headers["if-none-match"]) {
///     return Response(status: 304, headers: headers)
/// }
/// ```
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The value of the header, with its quotation marks.
    public let description: String

    /// Creates the tag of a body.
    public init(of body: some Sequence<UInt8>) {
        description = "\"\(SHA256.hash(Array(body).span).prefixHex(32))\""
    }

    /// Returns whether an `If-None-Match` header lists this tag, so that the response is 304.
    ///
    /// A weak tag (`W/`) matches too, because proxies that compress mark tags as weak.
    public func matches(_ header: String?) -> Bool {
        guard var rest = header?[...] else { return false }
        while true {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            if rest == "*" { return true }
            rest = rest.trimmingPrefix("W/")
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else {
                return false
            }
            if rest[...end] == description { return true }
            rest = rest[rest.index(after: end)...]
        }
    }
}
