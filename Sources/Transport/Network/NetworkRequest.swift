/// One source to load.
package struct NetworkRequest: Sendable, Hashable {
    /// The URL as listed.
    package var url: String
    /// What is left of its item's time; all of `itemTimeout` where nil.
    package var timeLeft: Duration?
    /// An interrupted run has seen the source fail; another failure says nothing new of its host.
    package var failedBefore: Bool

    package init(url: String, timeLeft: Duration? = nil, failedBefore: Bool = false) {
        self.url = url
        self.timeLeft = timeLeft
        self.failedBefore = failedBefore
    }
}

/// The bytes of an answer, counted against the loader's budget for as long as they are held.
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

/// A source that was loaded.
package struct NetworkResponse: Sendable {
    /// Where the bytes came from.
    package enum Origin: String, Sendable {
        case network
        /// Kept from before, still fresh or asked for offline.
        case cache
        /// Kept from before, and the server said that it still holds.
        case revalidated
    }

    package let body: NetworkBody
    package let status: Int
    /// Where the last redirect led; without credentials.
    package let finalURL: String
    package let headers: ResponseHeaders
    package let origin: Origin
}

/// How one load went: the answer or the reason, and what it took.
package struct NetworkOutcome: Sendable {
    package internal(set) var result: Result<NetworkResponse, NetworkFailure>
    package let timings: NetworkTimings
    /// Attempts that were begun; redirects do not count.
    package let attempts: Int
    package let redirects: Int
    /// The last transfer went over a connection that stood already.
    package let reusedConnection: Bool
    /// Bytes of body that came over the wire, failed attempts included.
    package let wireBytes: Int
    /// The answer is shared with an equal request that was under way.
    package let isShared: Bool

    /// The same load with another end.
    func failing(_ failure: NetworkFailure) -> NetworkOutcome {
        var outcome = self
        outcome.result = .failure(failure)
        return outcome
    }
}

/// Nanoseconds spent on a load, by stage; the stages after `queue` are those of the last attempt.
package struct NetworkTimings: Sendable, Equatable {
    /// Waiting for our own permits.
    package var queue: Int64 = 0
    package var dns: Int64 = 0
    /// TCP and TLS; zero on a connection that stood already.
    package var connect: Int64 = 0
    /// From the request to the first byte of the answer.
    package var firstByte: Int64 = 0
    /// From the first byte to the last.
    package var fetch: Int64 = 0
    /// Everything that counts against the item's time: attempts and the waits between them.
    package var active: Int64 = 0
}
