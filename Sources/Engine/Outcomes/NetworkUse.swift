import Notation
import Transport

/// The network statistics of an item, or the sum over all items of a run.
package struct NetworkUse: Sendable, Hashable {
    package private(set) var loads = 0
    package private(set) var attempts = 0
    package private(set) var redirects = 0
    /// The loads whose last transfer reused a connection.
    package private(set) var reused = 0
    /// The loads that shared the transfer of the same URL by another item.
    package private(set) var shared = 0
    /// The loads from the cache: `cached` without a request, `revalidated` after the server
    /// confirmed the entry.
    package private(set) var cached = 0
    package private(set) var revalidated = 0
    /// Bytes of bodies over the wire, including failed attempts.
    package private(set) var wireBytes = 0

    package var retries: Int { max(0, attempts - requestedLoads) }

    /// The loads for which a request was sent.
    private var requestedLoads = 0

    package init() {}

    package mutating func add(_ outcome: NetworkOutcome) {
        loads += 1
        if outcome.isShared {
            shared += 1
        } else {
            attempts += outcome.attempts
            requestedLoads += outcome.attempts > 0 ? 1 : 0
            redirects += outcome.redirects
            reused += outcome.reusedConnection ? 1 : 0
            wireBytes += outcome.wireBytes
        }
        guard case .success(let response) = outcome.result else { return }
        switch response.origin {
        case .network: break
        case .cache: cached += 1
        case .revalidated: revalidated += 1
        }
    }

    package mutating func add(_ other: NetworkUse) {
        loads += other.loads
        attempts += other.attempts
        requestedLoads += other.requestedLoads
        redirects += other.redirects
        reused += other.reused
        shared += other.shared
        cached += other.cached
        revalidated += other.revalidated
        wireBytes += other.wireBytes
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("loads", loads)
            json.member("attempts", attempts)
            json.member("retries", retries)
            json.member("redirects", redirects)
            json.member("connections_reused", reused)
            json.member("shared", shared)
            json.member("from_cache", cached)
            json.member("revalidated", revalidated)
            json.member("wire_bytes", wireBytes)
        }
    }
}
