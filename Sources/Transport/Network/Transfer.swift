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

/// A transfer in progress, from its first attempt to its end. Confined to the event thread.
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
    /// The origin of the handle's connection; `address` may already be that of the next hop.
    var origin = ""
    /// Whether no lane drives `handle`, so that the handle can be reused at once.
    var isDone = false
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

    var incomingBody: Int? {
        guard let progress = handle?.progress, !progress.isEnded else { return nil }
        return progress.bodyBytes
    }

    var stage: RunStage {
        guard hopStart != nil else { return .queue }
        guard let progress = handle?.progress else { return .dns }
        guard progress.requestedAt != nil else { return .connect }
        return progress.isHeadDone ? .fetch : .ttfb
    }
}

extension TransferLoop {
    /// Starts an attempt, or its next hop: checks the URL, resolves the name, then connects.
    func startAttempt(_ id: UInt64) {
        guard let transfer = transfers[id] else { return }
        if transfer.startsAtListedURL { transfer.restart() }
        transfer.outcome.timings.queue += now - transfer.queuedAt
        transfer.hopStart = now
        transfer.outcome.attempts = scheduler.attempts(of: id)
        do throws(NetworkFailure) {
            try AddressGuard.check(transfer.address, settings.addresses)
        } catch {
            return failAttempt(transfer, error)
        }
        guard settings.proxy == nil, transfer.address.literal == nil else {
            return connect(transfer, addresses: [])
        }
        setCheck(of: transfer, at: now + timeout)
        let host = transfer.address.host
        if let answer = names.resolve(host, for: id, at: now) { resolved(id, host, answer) }
    }

    /// Connects a transfer after its DNS lookup. Ignores the answer if the transfer has ended or
    /// was redirected to another host meanwhile.
    func resolved(_ id: UInt64, _ host: String, _ answer: NameAnswer) {
        guard let transfer = transfers[id], let start = transfer.hopStart, transfer.handle == nil,
            transfer.address.host == host, transfer.address.literal == nil
        else { return }
        transfer.outcome.timings.dns = now - start
        do throws(NetworkFailure) {
            connect(
                transfer,
                addresses: try Resolver.allowed(
                    answer, of: transfer.address, settings.addresses))
        } catch {
            failAttempt(transfer, error)
        }
    }

    private func connect(_ transfer: Transfer, addresses: [[UInt8]]) {
        let noMemory = NetworkFailure(.connect, "There is no memory for the transfer.")
        let origin = transfer.address.origin
        guard let handle = lanes.handle(for: origin) else { return failAttempt(transfer, noMemory) }
        let credentials = transfer.hops == 0 ? transfer.address.credentials : nil
        var headers =
            transfer.keepsHeaders ? settings.headerLines(adding: transfer.request.headers) : []
        var conditions: [String] = []
        if let validators = transfer.request.validators,
            validators.url == transfer.address.text
        {
            if let etag = validators.etag { conditions.append("If-None-Match: \(etag)") }
            if let date = validators.lastModified {
                conditions.append("If-Modified-Since: \(date)")
            }
        }
        headers += conditions + (credentials?.signedHeaders ?? [])
        transfer.handle = handle
        transfer.origin = origin
        transfer.windowStart = nil
        setCheck(of: transfer, at: now + timeout)
        let isReady = handle.prepare(
            transfer.address, tag: transfer.id, isConditional: !conditions.isEmpty,
            newConnection: transfer.needsNewConnection, headers: headers,
            resolve: Resolver.curlLine(transfer.address, addresses),
            isNamed: settings.addresses.names(transfer.address),
            credentials: credentials)
        // No lane drives a handle that could not be prepared.
        transfer.isDone = !isReady
        guard isReady else { return failAttempt(transfer, noMemory) }
        handle.lane.send(.start(handle))
    }

    func ended(_ transfer: Transfer, _ end: TransferEnd) {
        end.fill(&transfer.outcome)
        switch end.verdict {
        case .body, .notModified:
            let response = NetworkResponse(
                body: end.body, status: end.status, finalURL: transfer.address.text,
                headers: end.headers, origin: .network)
            transfer.outcome.timings.active = scheduler.activeTime(of: transfer.id, at: now)
            transfer.outcome.redirectLifetime = transfer.redirectLifetime(at: now)
            scheduler.succeed(transfer.id, at: now)
            finish(transfer.id, .success(response))
        case .redirect(let location): followRedirect(transfer, to: location, end)
        case .failure(let failure): failAttempt(transfer, failure, headers: end.headers)
        case .noDescriptor(let failure):
            stopAttempt(transfer)
            scheduler.starve(transfer.id, failure, at: now)
        }
    }

    private func followRedirect(
        _ transfer: Transfer, to location: String, _ end: TransferEnd
    ) {
        do throws(NetworkFailure) {
            let next = try transfer.address.following(location)
            transfer.hops += 1
            guard transfer.hops <= settings.redirects else {
                throw NetworkFailure(.redirect, "More than \(settings.redirects) redirects.")
            }
            // Also checked here, so that a forbidden address fails before it waits for a
            // connection.
            try AddressGuard.check(next, settings.addresses)
            transfer.keepsHeaders =
                transfer.keepsHeaders && transfer.address.sharesHeaders(with: next)
            transfer.address = next
        } catch {
            return failAttempt(transfer, error)
        }
        transfer.outcome.redirects += 1
        transfer.note(
            redirect: CacheFreshness.lifetime(redirect: end.status, end.headers), at: now)
        stopAttempt(transfer)
        scheduler.redirect(transfer.id, to: transfer.address.origin, at: now)
    }

    /// Reports a failed attempt; the scheduler decides whether it is retried.
    private func failAttempt(
        _ transfer: Transfer, _ failure: NetworkFailure, headers: ResponseHeaders? = nil
    ) {
        let wait = headers?.retryAfter.flatMap {
            RetryWait.nanoseconds(retryAfter: $0, now: WallClock.nowSeconds)
        }
        transfer.outcome.timings.active = scheduler.activeTime(of: transfer.id, at: now)
        stopAttempt(transfer)
        transfer.startsAtListedURL = true
        // The server may have closed its other idle connections as well.
        transfer.needsNewConnection = failure.kind == .connect
        scheduler.fail(transfer.id, failure, retryAfter: wait, at: now)
        if let end = scheduler.pauseEnd(of: transfer.origin) {
            waits.note(transfer.address.host, until: end, at: now)
        }
    }

    func stopAttempt(_ transfer: Transfer) {
        releaseHandle(transfer)
        transfer.hopStart = nil
        transfer.queuedAt = now
    }

    func releaseHandle(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        transfer.handle = nil
        if !transfer.isDone { transfer.outcome.wireBytes += handle.progress.wireBytes }
        lanes.release(handle, transfer.origin, isDone: transfer.isDone)
    }

    private func setCheck(of transfer: Transfer, at time: Int64) {
        transfer.checkAt = time
        nextCheck = min(nextCheck, time)
    }

    /// Ends the attempts that brought no connection, or less than 1 KB, within the timeout.
    func checkStalls() {
        nextCheck = .max
        for id in scheduler.runningItems.sorted() {
            guard let transfer = transfers[id], transfer.hopStart != nil else { continue }
            if transfer.checkAt <= now { check(transfer) }
            if transfer.hopStart != nil { nextCheck = min(nextCheck, transfer.checkAt) }
        }
    }

    private func check(_ transfer: Transfer) {
        func timeOut(_ reason: String) { failAttempt(transfer, NetworkFailure(.timeout, reason)) }
        guard let handle = transfer.handle else { return timeOut("The DNS lookup timed out.") }
        let progress = handle.progress
        guard !progress.isEnded else {
            transfer.checkAt = .max
            return
        }
        guard let requestedAt = progress.requestedAt else {
            return timeOut("The connection timed out.")
        }
        if transfer.windowStart == nil {
            // The first window begins when the request was sent, not when the loop noticed it.
            transfer.windowStart = requestedAt
            transfer.windowBytes = 0
            transfer.checkAt = requestedAt + timeout
            if transfer.checkAt > now { return }
        }
        if progress.received - transfer.windowBytes < 1024 {
            if progress.isHeadDone, progress.isDiscarding {
                // The status decides the result; the body is not needed.
                transfer.checkAt = .max
                return handle.lane.send(.end(handle))
            }
            return timeOut("The transfer stalled: less than 1 KB arrived within the timeout.")
        }
        transfer.windowStart = now
        transfer.windowBytes = progress.received
        transfer.checkAt = now + timeout
    }
}
