import CLibCurl
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
    package internal(set) var result: Result<NetworkResponse, ItemFailure>
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
    var redirectLifetime: Int64? = ResponseHeaders.direct

    init(_ result: Result<NetworkResponse, ItemFailure>) {
        self.result = result
    }

    /// Returns the same load with another result.
    func with(_ result: Result<NetworkResponse, ItemFailure>) -> NetworkOutcome {
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

        init(_ failure: ItemFailure) {
            outcome = NetworkOutcome(.failure(failure))
        }

        static let canceled = Box(ItemFailure(.canceled))
    }
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
            let value = parts[1].last == 0x0D ? parts[1].dropLast() : parts[1]
            let text = String(decoding: value.withoutBlanks, as: UTF8.self)
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

/// The lifetime of a response, as its headers give it.
extension ResponseHeaders {
    /// The `redirectLifetime` of a response without redirects, which never expires.
    package static let direct = Int64.max

    /// Returns the seconds for which a response is fresh; nil if it must not be stored.
    ///
    /// - Parameter redirectLifetime: The seconds for which the redirects to the response are valid;
    ///   nil if one of them must not be stored.
    package func lifetime(redirectLifetime: Int64?) -> Int64? {
        guard let redirectLifetime else { return nil }
        return switch headerLifetime {
        case .notStored: nil
        case .unspecified: 0
        case .seconds(let seconds): min(seconds, redirectLifetime)
        }
    }

    /// Returns the seconds for which a redirect is valid; nil if it must not be stored. By default
    /// a permanent redirect never expires, and any other expires at once.
    package func lifetime(ofRedirect status: Int) -> Int64? {
        switch headerLifetime {
        case .notStored: nil
        case .unspecified: status == 301 || status == 308 ? Self.direct : 0
        case .seconds(let seconds): seconds
        }
    }

    private enum HeaderLifetime {
        case notStored
        case unspecified
        case seconds(Int64)
    }

    private var headerLifetime: HeaderLifetime {
        if let vary,
            vary.split(separator: ",").contains(where: { Self.trimmed($0) == "*" })
        {
            return .notStored
        }
        var maxAge: Int64?
        var mustAsk = false
        for part in (cacheControl ?? "").split(separator: ",") {
            let directive = Self.trimmed(part)
            if directive == "no-store" { return .notStored }
            if directive == "no-cache" || directive.hasPrefix("no-cache=") { mustAsk = true }
            if directive.hasPrefix("max-age=") {
                maxAge = maxAge ?? Self.seconds(directive.dropFirst(8).filter { $0 != "\"" })
            }
        }
        if mustAsk { return .seconds(0) }
        let age = Self.seconds(self.age ?? "")
        if let maxAge { return .seconds(max(0, maxAge - age)) }
        if let expires {
            // An invalid date, such as 0, means expired.
            guard let end = Self.seconds(ofDate: expires),
                let date = date.flatMap(Self.seconds(ofDate:))
            else { return .seconds(0) }
            return .seconds(max(0, end - date - age))
        }
        return .unspecified
    }

    /// Returns a number of seconds, at most a thousand years, so that sums cannot overflow; zero
    /// for any other text.
    private static func seconds(_ digits: String) -> Int64 {
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isNumber ? min(Int64(digits) ?? longest, longest) : 0
    }

    private static let longest: Int64 = 1_000 * 366 * 86_400

    private static func trimmed(_ part: Substring) -> String {
        part.lowercased().filter { $0 != " " && $0 != "\t" }
    }

    /// Reads a date in one of the three formats of HTTP, as seconds since 1970.
    static func seconds(ofDate text: String) -> Int64? {
        let seconds = unsafe text.withCString { unsafe curl_getdate($0, nil) }
        return seconds < 0 ? nil : Int64(seconds)
    }
}
