/// What an earlier answer left behind to ask whether it still holds.
struct Validators: Sendable, Hashable {
    /// The place that gave the answer; nobody else is asked.
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
struct TransferOrder: Sendable {
    let id: UInt64
    let key: FlightKey
    let address: WebAddress
    let validators: Validators?
    let waiter: CheckedContinuation<TransferOutcome, Never>
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
    var reusedConnection = false
    var wireBytes = 0
    /// Another order was there first; this one shares its answer.
    var isShared = false
}
