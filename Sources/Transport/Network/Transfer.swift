import Gauge
import System

/// The validators of a stored response, with which the server is asked whether it is still valid.
struct Validators: Sendable, Hashable {
    /// The URL of the response; the validators are used for no other URL.
    let url: String
    let etag: String?
    let lastModified: String?
}

/// A request for a transfer.
///
/// This is a class because tens of thousands of tasks may wait at once, and each then holds one
/// word instead of all fields.
final class TransferRequest: Sendable {
    /// Two requests with equal keys share one transfer.
    struct Key: Sendable, Hashable {
        let url: String
        let credentials: WebAddress.Credentials?
        let validators: Validators?
        let headers: [NetworkHeader]
        let omitsHeaders: Bool
    }

    let address: WebAddress
    let validators: Validators?
    /// Nanoseconds that the transfer may take; nil for the time limit of the settings.
    let timeLeft: Int64?
    let failedBefore: Bool
    let headers: [NetworkHeader]
    /// Whether the headers of the settings are not sent.
    let omitsHeaders: Bool
    let cacheKey: CacheKey

    init(
        _ address: WebAddress, _ request: NetworkRequest, validators: Validators?,
        cacheKey: CacheKey
    ) {
        self.address = address
        self.validators = validators
        self.cacheKey = cacheKey
        headers = request.headers
        omitsHeaders = request.omitsHeaders
        timeLeft = request.timeLeft?.nanoseconds
        failedBefore = request.failedBefore
    }

    /// Creates the request for a response that no validators can replace.
    init(withoutValidators request: TransferRequest) {
        address = request.address
        validators = nil
        cacheKey = request.cacheKey
        headers = request.headers
        omitsHeaders = request.omitsHeaders
        timeLeft = request.timeLeft
        failedBefore = request.failedBefore
    }

    var key: Key {
        Key(
            url: address.text, credentials: address.credentials, validators: validators,
            headers: headers, omitsHeaders: omitsHeaders)
    }
}

/// A transfer from its first attempt to its end. Confined to the thread of the loop.
final class Transfer {
    let id: UInt64
    let request: TransferRequest
    /// The present URL: the listed one, or that of the last redirect.
    var address: WebAddress
    var hops = 0
    /// Whether the headers for the first host may be sent to the current host.
    var keepsHeaders: Bool
    /// Whether the next attempt begins at the listed URL.
    var startsAtListedURL = true
    var needsNewConnection = false
    var handle: CurlHandle?
    /// Whether a lookup of the reason for a name without an address is in progress.
    var isLookedUp = false
    var queuedAt: Int64
    /// The start of the present hop; nil between attempts.
    var hopStart: Int64?
    /// The time of the next check whether the transfer stalls.
    var checkAt = Int64.max
    /// The start of the period in which at least 1 KB must arrive, and the bytes received before
    /// it.
    var windowStart: Int64?
    var windowBytes: Int64 = 0
    var outcome = NetworkOutcome(.failure(NetworkFailure(.canceled)))
    /// The earliest time at which a redirect since the listed URL expires; nil if one of them must
    /// not be cached.
    private var routeEnd: Int64? = .max

    init(_ id: UInt64, _ request: TransferRequest, at now: Int64) {
        self.id = id
        self.request = request
        address = request.address
        keepsHeaders = !request.omitsHeaders
        queuedAt = now
    }

    func restart() {
        startsAtListedURL = false
        address = request.address
        hops = 0
        keepsHeaders = !request.omitsHeaders
        routeEnd = .max
    }

    /// Records a redirect that is valid for a number of seconds from now on.
    func note(redirect seconds: Int64?, at now: Int64) {
        guard let seconds, let end = routeEnd else {
            routeEnd = nil
            return
        }
        let (span, isLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (own, isLonger) = now.addingReportingOverflow(span)
        routeEnd = min(end, isLong || isLonger ? .max : own)
    }

    /// Returns the seconds for which all redirects are still valid; nil if one of them must not be
    /// cached.
    func redirectLifetime(at now: Int64) -> Int64? {
        routeEnd.map { $0 == .max ? CacheFreshness.direct : max(0, $0 - now) / 1_000_000_000 }
    }

    var bodyBytes: Int { handle?.bodyBytes ?? 0 }

    var stage: RunStage {
        guard hopStart != nil else { return .queue }
        guard let handle, handle.isNameKnown else { return .dns }
        guard handle.requestedAt != nil else { return .connect }
        return handle.isHeadDone ? .fetch : .ttfb
    }
}
