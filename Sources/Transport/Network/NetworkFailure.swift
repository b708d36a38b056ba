/// The reason why a source on the network gave no bytes.
package struct NetworkFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Hashable {
        case missingURL
        case badURL
        case unsupportedScheme
        case dns
        case connect
        case tls
        case timeout
        case http4xx(Int)
        case http5xx(Int)
        case rateLimited
        case badHTTP
        case redirect
        case blockedAddress
        case tooLarge
        case truncated
        case canceled
        case offline
        case hostSkipped
        /// The server opts out of collections.
        case optedOut
    }

    package let kind: Kind
    /// The details for journals and messages, without credentials.
    package let detail: String
    /// Whether another attempt may succeed.
    package let isPassing: Bool

    package init(_ kind: Kind, _ detail: String = "", isPassing: Bool? = nil) {
        self.kind = kind
        self.detail = detail
        self.isPassing = isPassing ?? kind.isUsuallyPassing
    }

    init(bodyPasses limit: Int) { self.init(.tooLarge, "The body has more than \(limit) bytes.") }
}

/// The reason phrases of HTTP statuses. The phrase that a server sends is never repeated.
package enum StatusText {
    package static func of(_ status: Int) -> String {
        guard let words = words[status] else { return "\(status)" }
        return "\(status) \(words)"
    }

    private static let words: [Int: String] = [
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        506: "Variant Also Negotiates", 507: "Insufficient Storage", 508: "Loop Detected",
        511: "Network Authentication Required",
    ]
}
