import CCurlShims
import CLibCurl
import System

extension EventLoop {
    /// Begins an attempt, or its next hop: judges, looks the name up, connects.
    func begin(_ id: UInt64) {
        guard let flight = flights[id] else { return }
        if flight.isFresh {
            flight.isFresh = false
            flight.address = flight.order.address
            flight.hops = 0
            flight.keepsHeaders = true
        }
        flight.outcome.timings.queue += now - flight.queuedAt
        flight.hopStart = now
        flight.outcome.attempts = scheduler.attempts(of: id)
        do throws(NetworkFailure) {
            try AddressGuard.check(flight.address, allowPrivate: settings.allowPrivate)
        } catch {
            return fail(flight, error)
        }
        guard settings.proxy == nil, flight.address.literal == nil else {
            return connect(flight, addresses: [])
        }
        flight.checkAt = now + timeout
        nextCheck = min(nextCheck, flight.checkAt)
        switch book.read(flight.address.host, for: id, at: now) {
        case .known(let answer): hear(id, flight.address.host, answer)
        case .ask: names.ask(flight.address.host)
        case .wait: break
        }
    }

    /// A name was looked up for an item; it may be over or elsewhere by now.
    func hear(_ id: UInt64, _ host: String, _ answer: NameAnswer) {
        guard let flight = flights[id], let start = flight.hopStart, flight.handle == nil,
            flight.address.host == host, flight.address.literal == nil
        else { return }
        flight.outcome.timings.dns = now - start
        switch answer {
        case .none(let reason): fail(flight, NetworkFailure(.dns, reason))
        case .failed(let reason): fail(flight, NetworkFailure(.dns, reason, isPassing: true))
        case .addresses(let found):
            // Forbidden ones are left out here for a quick answer, and refused again at the socket.
            let allowed =
                settings.allowPrivate
                ? found : found.filter { AddressRule.isPublic($0.span) }
            if allowed.isEmpty {
                fail(flight, NetworkFailure(.blockedAddress, "The name has no public address."))
            } else {
                connect(flight, addresses: allowed)
            }
        }
    }

    private func connect(_ flight: Flight, addresses: [[UInt8]]) {
        guard let handle = transfers.take() else {
            return fail(flight, NetworkFailure(.connect, "There is no memory for a transfer."))
        }
        var headers = flight.keepsHeaders ? settings.headers.map(\.line) : []
        flight.sentValidators = false
        if let validators = flight.order.key.validators, validators.url == flight.address.text {
            if let etag = validators.etag {
                headers.append("If-None-Match: \(etag)")
                flight.sentValidators = true
            }
            if let date = validators.lastModified {
                headers.append("If-Modified-Since: \(date)")
                flight.sentValidators = true
            }
        }
        flight.handle = handle
        flight.isSecure = flight.address.isSecure
        if flight.isSecure { secureTransfers += 1 }
        flight.transferStart = now
        flight.checkAt = now + timeout
        flight.windowStart = nil
        nextCheck = min(nextCheck, flight.checkAt)
        let isReady = handle.prepare(
            flight.address, tag: flight.id, headers: headers,
            resolve: AddressText.resolveLine(flight.address, addresses),
            credentials: flight.hops == 0 ? flight.address.credentials : nil)
        guard isReady, transfers.add(handle) else {
            return fail(flight, NetworkFailure(.connect, "There is no memory for a transfer."))
        }
    }

    /// curl is done with a transfer.
    func conclude(_ tag: UInt64, _ code: CURLcode) {
        guard let flight = flights[tag], let handle = flight.handle else { return }
        measure(flight, handle)
        let verdict = TransferVerdict.of(handle, code, asked: flight.sentValidators)
        settle(flight, handle, verdict)
    }

    private func settle(_ flight: Flight, _ handle: TransferHandle, _ verdict: TransferVerdict) {
        switch verdict {
        case .body, .notModified:
            let body = verdict == .body ? handle.body : []
            let answer = TransferOutcome.Answer(
                status: handle.status, headers: handle.headers, finalURL: flight.address.text,
                body: NetworkBody(body, ledger: ledger))
            flight.outcome.timings.active = scheduler.activeTime(of: flight.id, at: now)
            scheduler.succeed(flight.id, at: now)
            land(flight.id, .success(answer))
        case .redirect(let location): follow(flight, location)
        case .failure(let failure): fail(flight, failure, headers: handle.headers)
        case .starved(let failure):
            pause(flight)
            scheduler.starve(flight.id, failure, at: now)
        }
    }

    private func follow(_ flight: Flight, _ location: String) {
        do throws(NetworkFailure) {
            let next = try flight.address.following(location)
            flight.hops += 1
            guard flight.hops <= settings.redirects else {
                throw NetworkFailure(.redirect, "More than \(settings.redirects) redirects.")
            }
            // Judged before the permit too, so that a forbidden address has no part in anything.
            try AddressGuard.check(next, allowPrivate: settings.allowPrivate)
            flight.keepsHeaders = flight.keepsHeaders && flight.address.sharesHeaders(with: next)
            flight.address = next
        } catch {
            return fail(flight, error)
        }
        flight.outcome.redirects += 1
        pause(flight)
        scheduler.redirect(flight.id, to: flight.address.origin, at: now)
    }

    /// Reports a failed attempt; the scheduler says what becomes of the item.
    func fail(_ flight: Flight, _ failure: NetworkFailure, headers: ResponseHeaders? = nil) {
        let wait = headers?.retryAfter.flatMap {
            RetryWait.nanoseconds(retryAfter: $0, now: WallClock.nowSeconds)
        }
        flight.outcome.timings.active = scheduler.activeTime(of: flight.id, at: now)
        pause(flight)
        flight.isFresh = true
        scheduler.fail(flight.id, failure, retryAfter: wait, at: now)
    }

    /// Nothing is under way for the flight until its next permit.
    func pause(_ flight: Flight) {
        stop(flight)
        flight.hopStart = nil
        flight.queuedAt = now
    }

    /// Gives the transfer's handle back.
    func stop(_ flight: Flight) {
        guard let handle = flight.handle else { return }
        flight.handle = nil
        if flight.isSecure { secureTransfers -= 1 }
        flight.outcome.wireBytes += handle.wireBytes
        transfers.remove(handle)
    }

    /// Ends attempts that brought no connection, or less than 1 KB, within the timeout.
    func checkStalls() {
        nextCheck = .max
        for id in scheduler.runningItems.sorted() {
            guard let flight = flights[id], flight.hopStart != nil else { continue }
            if flight.checkAt <= now { check(flight) }
            if flight.hopStart != nil { nextCheck = min(nextCheck, flight.checkAt) }
        }
    }

    private func check(_ flight: Flight) {
        guard let handle = flight.handle else {
            return fail(flight, NetworkFailure(.timeout, "The name was not looked up in time."))
        }
        guard handle.isConnected else {
            return fail(flight, NetworkFailure(.timeout, "No connection in time."))
        }
        let progress = handle.progress
        if flight.windowStart == nil {
            // The first window begins when the request left, not when that was noticed.
            let start = flight.transferStart + handle.times.requested * 1000
            flight.windowStart = start
            flight.windowBytes = 0
            flight.checkAt = start + timeout
            if flight.checkAt > now { return }
        }
        if progress - flight.windowBytes < 1024 {
            if handle.isHeadDone, handle.isDiscarding { return conclude(flight.id, CURLE_OK) }
            return fail(flight, NetworkFailure(.timeout, "Less than 1 KB came in time."))
        }
        flight.windowStart = now
        flight.windowBytes = progress
        flight.checkAt = now + timeout
    }

    private func measure(_ flight: Flight, _ handle: TransferHandle) {
        let times = handle.times
        let isNew = times.new_connections > 0
        let connected = isNew ? max(times.connected, times.secured) : 0
        flight.outcome.reusedConnection = !isNew && times.requested > 0
        flight.outcome.timings.connect = connected * 1000
        flight.outcome.timings.firstByte = max(0, times.answered - times.requested) * 1000
        flight.outcome.timings.fetch =
            times.answered > 0 ? max(0, times.total - times.answered) * 1000 : 0
    }
}
