import System

/// What an earlier answer left behind to ask whether it still holds.
struct Validators: Sendable, Hashable {
    /// The server that gave the answer; nobody else is asked.
    let url: String
    let etag: String?
    let lastModified: String?
}

/// What makes two transfers the same.
struct FlightKey: Sendable, Hashable {
    let url: String
    let credentials: WebAddress.Credentials?
    let validators: Validators?
}

/// One transfer as ordered, and who waits for it.
///
/// A class, like its outcome: tens of thousands of tasks may wait at once, and what they carry
/// across their waiting is what a waiting item weighs.
final class TransferOrder: Sendable {
    let key: FlightKey
    let address: WebAddress
    /// Nanoseconds that it may take; nil for as many as any item may.
    let timeLeft: Int64?
    /// An interrupted run has seen the source fail.
    let failedBefore: Bool

    init(
        _ address: WebAddress, validators: Validators?, timeLeft: Int64? = nil,
        failedBefore: Bool = false
    ) {
        self.address = address
        self.timeLeft = timeLeft
        self.failedBefore = failedBefore
        key = FlightKey(
            url: address.text, credentials: address.credentials, validators: validators)
    }
}

/// What the event thread answers.
struct TransferOutcome: Sendable {
    /// A response head with its body; the body of a 304 is empty.
    struct Answer: Sendable {
        let status: Int
        let headers: ResponseHeaders
        let finalURL: String
        let body: NetworkBody
    }

    var result: Result<Answer, NetworkFailure>
    var timings = NetworkTimings()
    var attempts = 0
    var redirects = 0
    /// Seconds that they still hold, all together; nil where one of them must not be kept.
    var route: Int64? = CacheFreshness.direct
    var reusedConnection = false
    var wireBytes = 0
    /// Another order was there first; this one shares its answer.
    var isShared = false

    init(result: Result<Answer, NetworkFailure>) {
        self.result = result
    }

    /// An outcome in one word.
    final class Box: Sendable {
        let outcome: TransferOutcome

        init(_ outcome: TransferOutcome) {
            self.outcome = outcome
        }

        static let canceled = Box(TransferOutcome(result: .failure(NetworkFailure(.canceled))))
    }

    typealias Reply = Waiter<Box>
}
