import System

/// The event thread's work: takes orders, lets the scheduler decide, has transfers made.
///
/// Lives on its one thread and is touched by no other.
@safe
final class EventLoop {
    /// A load under way.
    final class Flight {
        let id: UInt64
        let order: TransferOrder
        var address: WebAddress
        var hops = 0
        /// The headers and credentials meant for the first host may still go along.
        var keepsHeaders = true
        /// The next start begins at the listed URL again.
        var isFresh = true
        /// The next transfer uses no kept connection.
        var needsNewConnection = false
        var handle: TransferHandle?
        /// Where the transfer under way goes; by its end `address` may be the next one.
        var origin = ""
        /// The transfer has been reported as done.
        var isDone = false
        var queuedAt: Int64
        /// When the present hop began; nil while none is under way.
        var hopStart: Int64?
        var checkAt = Int64.max
        var windowStart: Int64?
        var windowBytes: Int64 = 0
        var outcome = TransferOutcome(result: .failure(NetworkFailure(.canceled)))
        /// When the first of the redirects since the listed URL ends to hold; nil where one of them must
        /// not be kept.
        private var routeEnd: Int64? = .max

        /// A redirect came that holds for so many seconds from now on.
        func note(redirect seconds: Int64?, at now: Int64) {
            guard let seconds, let end = routeEnd else {
                routeEnd = nil
                return
            }
            let (span, isLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (own, isLonger) = now.addingReportingOverflow(span)
            routeEnd = min(end, isLong || isLonger ? .max : own)
        }

        /// The next attempt begins at the listed URL.
        func forgetRoute() { routeEnd = .max }

        /// Seconds for which all of them still hold.
        func route(at now: Int64) -> Int64? {
            routeEnd.map { $0 == .max ? CacheFreshness.direct : max(0, $0 - now) / 1_000_000_000 }
        }

        init(_ id: UInt64, _ order: TransferOrder, at now: Int64) {
            self.id = id
            self.order = order
            address = order.address
            queuedAt = now
        }

        /// The bytes of a body that is coming in; nil where none is, or the last has come.
        var bodyUnderWay: Int? {
            guard let signs = handle?.signs, !signs.isEnded else { return nil }
            return signs.bodyBytes
        }
    }

    let engine: TransferEngine
    let settings: NetworkSettings
    let ledger: HeldBytes
    let waits: HostWaits
    let timeout: Int64
    let names: DNSWorkers
    var scheduler: HostScheduler
    var desk = RequestCoalescer<FlightKey, TransferOutcome.Reply>()
    var flights: [UInt64: Flight] = [:]
    var book = DNSCache()
    let transfers: TransferPool
    var nextCheck = Int64.max
    var isStopping = false
    var now = Int64(MonotonicClock.now)

    init(
        _ engine: TransferEngine, _ settings: NetworkSettings, _ ledger: HeldBytes,
        _ waits: HostWaits,
        connections: Int, lanes: Int
    ) {
        self.engine = engine
        self.settings = settings
        self.ledger = ledger
        self.waits = waits
        timeout = settings.timeout.nanoseconds
        var limits = HostScheduler.Limits()
        limits.connections = connections
        limits.perHost = max(1, settings.perHost)
        limits.retries = max(0, settings.retries)
        limits.itemTime = settings.itemTimeout.nanoseconds
        limits.breakerItems = max(1, settings.breakerItems)
        limits.breakerProbes = max(0, settings.breakerProbes)
        limits.givenUpTime = settings.givenUpTime?.nanoseconds
        limits.spacing = settings.rate?.spacing ?? 0
        transfers = TransferPool(settings, engine, ledger, connections: connections, lanes: lanes)
        scheduler = HostScheduler(limits: limits, seed: settings.seed)
        names = DNSWorkers(settings.resolver) { [weak engine] host, answer in
            engine?.send(.name(host, answer))
        }
    }

    func run() {
        while true {
            for message in engine.collect() { take(message) }
            if isStopping { break }
            advance()
            transfers.perform { report in
                now = Int64(MonotonicClock.now)
                hear(report)
            }
            if now >= nextCheck { checkStalls() }
            // Whatever came of all that is done before anything is waited for.
            advance()
            transfers.wait(milliseconds: pause())
            now = Int64(MonotonicClock.now)
        }
        names.close()
        for id in desk.ids { land(id, .failure(NetworkFailure(.canceled))) }
        transfers.close()
    }

    private func take(_ message: TransferEngine.Message) {
        switch message {
        case .order(let order, let id, let waiter, let time):
            guard desk.join(order.key, id: id, waiter) else { return }
            flights[id] = Flight(id, order, at: time)
            scheduler.add(
                id, origin: order.address.origin, timeLeft: order.timeLeft,
                failedBefore: order.failedBefore, at: now)
        case .cancel(let id):
            switch desk.leave(id) {
            case .unknown: break
            case .others(let waiter):
                waiter.resume(returning: .canceled)
            case .last(let waiter, let flight):
                let active = scheduler.activeTime(of: flight, at: now)
                flights[flight]?.outcome.timings.active = active
                scheduler.cancel(flight, at: now)
                let outcome = drop(flight, .failure(NetworkFailure(.canceled)))
                waiter.resume(returning: TransferOutcome.Box(outcome))
            }
        case .name(let host, let answer):
            for id in book.note(host, answer, at: now) { hear(id, host, answer) }
        case .transfer(let report): hear(report)
        case .survey(let count, let reader): reader.resume(returning: slowest(count))
        case .stop: isStopping = true
        }
    }

    /// Does what the scheduler says until it has no more to say.
    private func advance() {
        while true {
            setPace()
            guard let step = scheduler.step(at: now) else { return }
            switch step {
            case .start(let id): begin(id)
            case .end(let id, let failure):
                // Only an item that ran out of time ends while something is under way for it.
                if let flight = flights[id], flight.hopStart != nil {
                    flight.outcome.timings.active =
                        flight.order.timeLeft ?? settings.itemTimeout.nanoseconds
                }
                land(id, .failure(failure))
            }
        }
    }

    /// Keeps the bodies under way and handed out within their limit: first nothing new is begun
    /// beside what runs, then the largest but the oldest give way.
    private func setPace() {
        guard let limit = settings.heldBytesLimit else { return }
        let handedOut = ledger.value
        while handedOut + transfers.bytesUnderWay > limit, makeRoom() {}
        scheduler.pace =
            if handedOut >= limit {
                .stopped
            } else if handedOut + transfers.bytesUnderWay >= limit {
                .single
            } else {
                .free
            }
    }

    /// Puts one transfer off; false where none is worth it.
    private func makeRoom() -> Bool {
        let bodies = scheduler.runningItems.compactMap { id in
            flights[id].flatMap { flight in flight.bodyUnderWay.map { (flight, $0) } }
        }
        let oldest = bodies.min { $0.0.id < $1.0.id }?.0
        let others = bodies.filter { flight, count in
            flight !== oldest && count > Self.lightBytes && !scheduler.isHeavy(flight.id)
        }
        guard let largest = others.max(by: { $0.1 < $1.1 })?.0 else { return false }
        pause(largest)
        scheduler.postpone(largest.id, at: now)
        return true
    }

    /// Bodies up to this are never put off; ending them frees as much.
    private static let lightBytes = 64 << 10

    /// How long there is nothing to do but listen.
    private func pause() -> Int32 {
        let next = min(scheduler.nextEvent ?? .max, nextCheck)
        guard next != .max else { return 60_000 }
        return min(Int32(clamping: max(0, (next - now + 999_999) / 1_000_000)), 60_000)
    }

    /// Ends a flight for everyone who waits for it.
    func land(_ id: UInt64, _ result: Result<TransferOutcome.Answer, NetworkFailure>) {
        var outcome = drop(id, result)
        for waiter in desk.land(id) {
            waiter.resume(returning: TransferOutcome.Box(outcome))
            outcome.isShared = true
        }
    }

    /// Takes a flight down.
    private func drop(
        _ id: UInt64, _ result: Result<TransferOutcome.Answer, NetworkFailure>
    ) -> TransferOutcome {
        guard let flight = flights.removeValue(forKey: id) else {
            return TransferOutcome(result: result)
        }
        if flight.hopStart == nil { flight.outcome.timings.queue += now - flight.queuedAt }
        stop(flight)
        flight.outcome.result = result
        return flight.outcome
    }
}
