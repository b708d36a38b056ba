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
            flight.forgetRoute()
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
        let origin = flight.address.origin
        guard let handle = transfers.take(for: origin) else {
            return fail(flight, NetworkFailure(.connect, "There is no memory for the transfer."))
        }
        var headers = flight.keepsHeaders ? settings.headers.map(\.line) : []
        var isConditional = false
        if let validators = flight.order.key.validators, validators.url == flight.address.text {
            if let etag = validators.etag {
                headers.append("If-None-Match: \(etag)")
                isConditional = true
            }
            if let date = validators.lastModified {
                headers.append("If-Modified-Since: \(date)")
                isConditional = true
            }
        }
        flight.handle = handle
        flight.origin = origin
        flight.checkAt = now + timeout
        flight.windowStart = nil
        nextCheck = min(nextCheck, flight.checkAt)
        let isReady = handle.prepare(
            flight.address, tag: flight.id, isConditional: isConditional,
            newConnection: flight.needsNewConnection, headers: headers,
            resolve: AddressText.resolveLine(flight.address, addresses),
            credentials: flight.hops == 0 ? flight.address.credentials : nil)
        // A handle that nobody drives is free again at once.
        flight.isDone = !isReady
        guard isReady else {
            return fail(flight, NetworkFailure(.connect, "There is no memory for the transfer."))
        }
        transfers.begin(handle)
    }

    /// A transfer came to an end.
    func hear(_ report: TransferLane.Report) {
        switch report {
        case .back(let handle): transfers.rest(handle)
        case .crowded: break  // The pace is set anew after whatever was heard.
        case .done(let handle, let end):
            // One that was withdrawn meanwhile comes back as well.
            guard let flight = flights[handle.tag], flight.handle === handle else { return }
            flight.isDone = true
            end.fill(&flight.outcome)
            settle(flight, end)
        }
    }

    private func settle(_ flight: Flight, _ end: TransferEnd) {
        switch end.verdict {
        case .body, .notModified:
            let answer = TransferOutcome.Answer(
                status: end.status, headers: end.headers, finalURL: flight.address.text,
                body: end.body)
            flight.outcome.timings.active = scheduler.activeTime(of: flight.id, at: now)
            flight.outcome.route = flight.route(at: now)
            scheduler.succeed(flight.id, at: now)
            land(flight.id, .success(answer))
        case .redirect(let location): follow(flight, location, end)
        case .failure(let failure): fail(flight, failure, headers: end.headers)
        case .starved(let failure):
            pause(flight)
            scheduler.starve(flight.id, failure, at: now)
        }
    }

    private func follow(_ flight: Flight, _ location: String, _ end: TransferEnd) {
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
        flight.note(redirect: CacheFreshness.lifetime(redirect: end.status, end.headers), at: now)
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
        // Other kept connections to the host may be closed as well.
        flight.needsNewConnection = failure.kind == .connect
        scheduler.fail(flight.id, failure, retryAfter: wait, at: now)
        if let end = scheduler.pauseEnd(of: flight.origin) {
            waits.note(flight.address.host, until: end, at: now)
        }
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
        if !flight.isDone { flight.outcome.wireBytes += handle.signs.wireBytes }
        transfers.remove(handle, flight.origin, isDone: flight.isDone)
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
            return fail(flight, NetworkFailure(.timeout, "The DNS lookup timed out."))
        }
        let signs = handle.signs
        guard !signs.isEnded else {
            flight.checkAt = .max
            return
        }
        guard let requestedAt = signs.requestedAt else {
            return fail(flight, NetworkFailure(.timeout, "The connection timed out."))
        }
        if flight.windowStart == nil {
            // The first window begins when the request left, not when that was noticed.
            flight.windowStart = requestedAt
            flight.windowBytes = 0
            flight.checkAt = requestedAt + timeout
            if flight.checkAt > now { return }
        }
        if signs.progress - flight.windowBytes < 1024 {
            if signs.isHeadDone, signs.isDiscarding {
                // Its status says enough.
                flight.checkAt = .max
                return transfers.conclude(handle)
            }
            return fail(
                flight,
                NetworkFailure(
                    .timeout,
                    "The transfer stalled: less than 1 KB arrived within the timeout."))
        }
        flight.windowStart = now
        flight.windowBytes = signs.progress
        flight.checkAt = now + timeout
    }
}
