import CLibCurl
import Gauge
import Synchronization

package struct NetworkRequest: Sendable, Hashable {
    package var url: String
    /// The time that is left to its item; nil for the whole `itemTimeout`.
    package var timeLeft: Duration?
    /// Whether the source failed in an interrupted run. Another failure then does not count towards
    /// the breaker of its host.
    package var failedBefore: Bool
    /// Headers of this request only. Like those of the settings, they do not follow a redirect to
    /// another host.
    package var headers: [NetworkHeader]
    /// Whether no headers are sent: they are meant for web servers, and the signature of a request
    /// to a store would include them.
    var omitsHeaders = false

    package init(
        url: String, timeLeft: Duration? = nil, failedBefore: Bool = false,
        headers: [NetworkHeader] = []
    ) {
        self.url = url
        self.headers = headers
        self.timeLeft = timeLeft
        self.failedBefore = failedBefore
    }
}

package struct NetworkResponse: Sendable {
    package enum Origin: String, Sendable {
        case network
        /// A cache entry that is fresh, or that is used offline.
        case cache
        case revalidated
    }

    package let body: NetworkBody
    package let status: Int
    /// The URL after the last redirect, without credentials.
    package let finalURL: String
    package let headers: ResponseHeaders
    package let origin: Origin
}

/// The result of a load, with its cost.
package struct NetworkOutcome: Sendable {
    package internal(set) var result: Result<NetworkResponse, NetworkFailure>
    package internal(set) var timings = NetworkTimings()
    /// The number of attempts; redirects do not count.
    package internal(set) var attempts = 0
    package internal(set) var redirects = 0
    package internal(set) var reusedConnection = false
    /// Bytes of bodies as they came over the wire, failed attempts included.
    package internal(set) var wireBytes = 0
    /// Whether the response was loaded for an equal request that was already in progress.
    package internal(set) var isShared = false
    /// The seconds for which the redirects that led to the response are valid; nil if one of them
    /// must not be cached.
    var redirectLifetime: Int64? = CacheFreshness.direct

    init(_ result: Result<NetworkResponse, NetworkFailure>) {
        self.result = result
    }

    /// Returns the same load with another result.
    func with(_ result: Result<NetworkResponse, NetworkFailure>) -> NetworkOutcome {
        var outcome = self
        outcome.result = result
        return outcome
    }

    /// A reference to an outcome, so that waiting tasks store a single word.
    final class Box: Sendable {
        let outcome: NetworkOutcome

        init(_ outcome: NetworkOutcome) {
            self.outcome = outcome
        }

        init(_ failure: NetworkFailure) {
            outcome = NetworkOutcome(.failure(failure))
        }

        static let canceled = Box(NetworkFailure(.canceled))
    }
}

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

extension NetworkFailure.Kind {
    /// Whether another attempt may succeed, unless the failure says otherwise.
    var isUsuallyPassing: Bool {
        switch self {
        case .connect, .timeout, .http5xx, .rateLimited, .truncated, .offline, .hostSkipped: true
        case .http4xx(let status): status == 408
        default: false
        }
    }

    /// Whether the failure counts towards the breaker of its host.
    var countsAgainstHost: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .http5xx: true
        default: false
        }
    }

    /// Whether the failure shows that the host is up: it answered with a status below 500.
    var clearsHost: Bool {
        switch self {
        case .http4xx, .rateLimited, .redirect, .tooLarge, .truncated: true
        default: false
        }
    }
}

/// The reason phrases of HTTP statuses. The phrase that a server sends is untrusted and never
/// shown.
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

/// Nanoseconds of a load, by stage; the stages after `queue` are those of the last attempt.
package struct NetworkTimings: Sendable, Equatable {
    package var queue: Int64 = 0
    package var dns: Int64 = 0
    /// TCP and TLS; zero on a reused connection.
    package var connect: Int64 = 0
    /// From the request to the first byte of the response.
    package var firstByte: Int64 = 0
    /// From the first byte to the last.
    package var fetch: Int64 = 0
    /// The time that counts against the item's limit: attempts and the waits between them.
    package var active: Int64 = 0

    package init() {}
}

/// A load in progress, for the display of a slow run.
package struct NetworkProgress: Sendable, Equatable {
    /// The current URL, after redirects and without credentials.
    package let url: String
    /// `queue` while the load waits for a permit, or for its next attempt.
    package let stage: RunStage
    package let attempts: Int
    /// The part of its time limit that the load has used, in nanoseconds.
    package let active: Int64
    package let bytes: Int
}

/// The bytes of a response, counted against the loader's budget while they are held.
package final class NetworkBody: Sendable {
    package let bytes: [UInt8]
    private let ledger: HeldBytes?

    init(_ bytes: [UInt8], ledger: HeldBytes? = nil) {
        self.bytes = bytes
        self.ledger = ledger
        ledger?.add(bytes.count)
    }

    deinit {
        ledger?.add(-bytes.count)
    }
}

/// The number of bytes in the bodies that callers hold. Calls `onBelowMark` when it falls below
/// `mark`.
final class HeldBytes: Sendable {
    private let sum = Atomic<Int>(0)
    let mark: Int
    private let onBelowMark: @Sendable () -> Void

    init(mark: Int, onBelowMark: @escaping @Sendable () -> Void) {
        self.mark = mark
        self.onBelowMark = onBelowMark
    }

    var value: Int { sum.load(ordering: .relaxed) }

    func add(_ count: Int) {
        let (old, new) = sum.add(count, ordering: .relaxed)
        if old >= mark, new < mark { onBelowMark() }
    }
}

package struct ResponseHeaders: Sendable, Equatable {
    package var etag: String?
    package var lastModified: String?
    package var cacheControl: String?
    package var retryAfter: String?
    package var location: String?
    package var age: String?
    package var date: String?
    package var expires: String?
    package var vary: String?

    package init() {}

    /// Reads the lines of a response head; the values of a repeated name are joined.
    package init(head: Span<UInt8>) {
        let head = unsafe head.withUnsafeBufferPointer { unsafe Array($0) }
        for line in head.split(separator: 0x0A) {
            let parts = line.split(
                separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2,
                let field = Self.fields[String(decoding: parts[0], as: UTF8.self).lowercased()]
            else { continue }
            let start = parts[1].drop { $0 == 0x20 || $0 == 0x09 }
            let value = start.lastIndex { $0 > 0x20 }.map { start[...$0] } ?? []
            let text = String(decoding: value, as: UTF8.self)
            if let old = self[keyPath: field] {
                // Only the first `Location` header counts; the values of other repeated headers form
                // a list.
                if field != \.location { self[keyPath: field] = old + ", " + text }
            } else {
                self[keyPath: field] = text
            }
        }
    }

    private static let fields: [String: any WritableKeyPath<Self, String?> & Sendable] = [
        "etag": \.etag, "last-modified": \.lastModified, "cache-control": \.cacheControl,
        "retry-after": \.retryAfter, "location": \.location, "age": \.age, "date": \.date,
        "expires": \.expires, "vary": \.vary,
    ]
}

/// The three date formats of HTTP.
enum HTTPDate {
    static func seconds(_ text: String) -> Int64? {
        let seconds = unsafe text.withCString { unsafe curl_getdate($0, nil) }
        return seconds < 0 ? nil : Int64(seconds)
    }
}
