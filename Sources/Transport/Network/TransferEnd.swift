import CCurlShims
import CLibCurl

/// What a transfer came to, taken out of its handle by whoever drove it.
final class TransferEnd: Sendable {
    let verdict: TransferVerdict
    let status: Int
    let headers: ResponseHeaders
    /// Empty where it is not wanted.
    let body: NetworkBody
    let wireBytes: Int
    let times: emb_fetch_times

    /// - Parameter code: what curl says of it.
    init(_ handle: TransferHandle, _ code: CURLcode, _ ledger: HeldBytes) {
        verdict = TransferVerdict.of(handle, code)
        status = handle.status
        headers = handle.headers
        body = NetworkBody(verdict == .body ? handle.body : [], ledger: ledger)
        wireBytes = handle.signs.wireBytes
        times = handle.times
    }

    private init(_ failure: NetworkFailure) {
        verdict = .failure(failure)
        status = 0
        headers = ResponseHeaders()
        body = NetworkBody([])
        wireBytes = 0
        times = emb_fetch_times()
    }

    /// curl did not take it.
    static let noMemory = TransferEnd(
        NetworkFailure(.connect, "There is no memory for the transfer."))

    /// The time of each part, but for what came before curl had it.
    func fill(_ outcome: inout TransferOutcome) {
        let isNew = times.new_connections > 0
        let connected = isNew ? max(times.connected, times.secured) : 0
        outcome.wireBytes += wireBytes
        outcome.reusedConnection = !isNew && times.requested > 0
        outcome.timings.connect = connected * 1000
        outcome.timings.firstByte = max(0, times.answered - times.requested) * 1000
        outcome.timings.fetch =
            times.answered > 0 ? max(0, times.total - times.answered) * 1000 : 0
    }
}
