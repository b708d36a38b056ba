import CLibCurl
import Gauge
import Synchronization
import System

/// The queue of messages to the transfer loop, and the owner of its thread. Each transfer is
/// answered exactly once.
final class TransferQueue: Sendable {
    enum Message: Sendable {
        case load(TransferRequest, id: UInt64, Waiter<NetworkOutcome.Box>, at: Int64)
        case cancel(UInt64)
        case looked(UInt64, NetworkFailure)
        case progress(Int, Waiter<[NetworkProgress]>)
        case stop
    }

    private struct Mailbox {
        var messages: [Message] = []
        var isClosed = false
        var nextID: UInt64 = 1
    }

    private let mailbox = Mutex(Mailbox())
    private let thread = Mutex<Thread?>(nil)
    private let multi: CurlMulti

    /// Starts the thread of the loop; nil if the system has no thread or no memory for it.
    static func start(
        _ settings: NetworkSettings, _ waits: HostWaits
    ) -> (TransferQueue, HeldBytes)? {
        let connections = DescriptorLimit.connections(atMost: settings.connections)
        guard let multi = CurlMulti(settings, keeping: connections) else { return nil }
        let queue = TransferQueue(multi)
        let ledger = HeldBytes(mark: settings.heldBytesLimit ?? .max) { [weak multi] in
            multi?.wake()
        }
        let thread = Thread("emblem-net", stackBytes: 1 << 20) {
            TransferLoop(queue, multi, settings, ledger, waits, connections: connections).run()
        }
        guard let thread else { return nil }
        queue.thread.withLock { $0 = thread }
        return (queue, ledger)
    }

    private init(_ multi: CurlMulti) {
        self.multi = multi
    }

    /// Loads one address. If the calling task is cancelled, the result is `canceled` at once.
    func load(_ request: TransferRequest) async -> NetworkOutcome.Box {
        let waiter = Waiter<NetworkOutcome.Box>()
        guard !Task.isCancelled, let id = post(request, waiter) else { return .canceled }
        return await waiter.value { self.send(.cancel(id)) }
    }

    /// Ends all transfers as canceled and waits for the event thread.
    func shutDown() {
        send(.stop)
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    /// The transfers that have used most of their time, the slowest first.
    func slowest(_ count: Int) async -> [NetworkProgress] {
        let reader = Waiter<[NetworkProgress]>()
        guard send(.progress(count, reader)) else { return [] }
        return await reader.value {}
    }

    /// Queues a transfer and returns its number; nil if the queue is closed.
    private func post(_ request: TransferRequest, _ waiter: Waiter<NetworkOutcome.Box>) -> UInt64? {
        let now = Int64(MonotonicClock.now)
        let id = mailbox.withLock { box -> UInt64? in
            guard !box.isClosed else { return nil }
            let id = box.nextID
            box.nextID += 1
            box.messages.append(.load(request, id: id, waiter, at: now))
            return id
        }
        if id != nil { multi.wakeListener() }
        return id
    }

    /// Queues a message; false if the queue is closed and the message lost.
    @discardableResult
    func send(_ message: Message) -> Bool {
        let isOpen = mailbox.withLock { box in
            guard !box.isClosed else { return false }
            if case .stop = message { box.isClosed = true }
            box.messages.append(message)
            return true
        }
        if isOpen { multi.wakeListener() }
        return isOpen
    }

    var hasMessages: Bool { mailbox.withLock { !$0.messages.isEmpty } }

    func collect() -> [Message] {
        mailbox.withLock { box in
            guard !box.messages.isEmpty else { return [] }
            let messages = box.messages
            box.messages = []
            return messages
        }
    }
}

/// The loop of the thread that carries all transfers with one multi handle of curl. Confined to its
/// thread.
///
/// curl resolves names, keeps connections and transfers. The loop gives a handle to curl when the
/// ``HostScheduler`` says that the transfer may start, since waiting inside curl counts towards its
/// time limits.
@safe
final class TransferLoop {
    private let queue: TransferQueue
    private let multi: CurlMulti
    private let settings: NetworkSettings
    private let ledger: HeldBytes
    private let waits: HostWaits
    private let timeout: Int64
    private var scheduler: HostScheduler
    /// The callers that wait for each transfer.
    private var callers = Coalescer<TransferRequest.Key, Waiter<NetworkOutcome.Box>>()
    private var transfers: [UInt64: Transfer] = [:]
    private var idleHandles: [CurlHandle] = []
    /// The transfers that were stopped because bodies filled the memory.
    private var postponed: Set<UInt64> = []
    /// The number of transfers with TLS that curl carries.
    private var secureCount = 0
    /// The time of the next check for stalled transfers.
    private var nextCheck = Int64.max
    private var now = Int64(MonotonicClock.now)

    init(
        _ queue: TransferQueue, _ multi: CurlMulti, _ settings: NetworkSettings,
        _ ledger: HeldBytes, _ waits: HostWaits, connections: Int
    ) {
        self.queue = queue
        self.multi = multi
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
        scheduler = HostScheduler(limits: limits, seed: settings.seed)
    }

    func run() {
        while take(queue.collect()) {
            advance()
            perform()
            if now >= nextCheck { checkStalls() }
            // The steps that follow from ended transfers are carried out before the loop waits.
            advance()
            // curl 7.88 can miss HTTP/2 frames that it has read or has to send: of 200 redirects on
            // one connection, one run in 25 stalled for seconds until another event. So curl runs at
            // short intervals while a transfer may use HTTP/2.
            multi.listen(milliseconds: secureCount > 0 ? min(pause(), 20) : pause()) {
                queue.hasMessages
            }
            now = Int64(MonotonicClock.now)
        }
        for id in callers.ids { finish(id, .failure(NetworkFailure(.canceled))) }
    }

    /// Handles messages; false if the loop must stop.
    private func take(_ messages: [TransferQueue.Message]) -> Bool {
        for message in messages {
            switch message {
            case .load(let request, let id, let waiter, let time):
                guard callers.join(request.key, id: id, waiter) else { continue }
                transfers[id] = Transfer(id, request, at: time)
                scheduler.add(
                    id, origin: request.address.origin, timeLeft: request.timeLeft,
                    failedBefore: request.failedBefore, at: now)
            case .cancel(let id): cancel(id)
            case .looked(let id, let failure):
                guard let transfer = transfers[id], transfer.isLookedUp else { continue }
                failAttempt(transfer, failure)
            case .progress(let count, let reader): reader.resume(returning: slowest(count))
            case .stop: return false
            }
        }
        return true
    }

    private func cancel(_ id: UInt64) {
        switch callers.leave(id) {
        case .unknown: break
        case .others(let waiter):
            waiter.resume(returning: .canceled)
        case .last(let waiter, let transfer):
            let active = scheduler.activeTime(of: transfer, at: now)
            transfers[transfer]?.outcome.timings.active = active
            scheduler.cancel(transfer, at: now)
            let outcome = remove(transfer, .failure(NetworkFailure(.canceled)))
            waiter.resume(returning: NetworkOutcome.Box(outcome))
        }
    }

    /// Carries out the steps of the scheduler until it has no more.
    private func advance() {
        while true {
            limitBodies()
            guard let step = scheduler.step(at: now) else { return }
            switch step {
            case .start(let id): startAttempt(id)
            case .end(let id, let failure):
                // During an attempt, an item ends only if its time is over.
                if let transfer = transfers[id], transfer.hopStart != nil {
                    transfer.outcome.timings.active =
                        transfer.request.timeLeft ?? settings.itemTimeout.nanoseconds
                }
                finish(id, .failure(failure))
            }
        }
    }

    /// Keeps the bytes of incoming and delivered bodies within their limit: the transfer with the
    /// largest body is stopped and starts again when its body fits, but never the oldest.
    private func limitBodies() {
        guard let limit = settings.heldBytesLimit else { return }
        let left = limit - ledger.value
        scheduler.bodyBytes = (left, multi.incomingBytes)
        guard multi.incomingBytes > left || !postponed.isEmpty else { return }
        var running = scheduler.runningItems.compactMap { transfers[$0] }
        func incoming() -> Int {
            running.reduce(0) {
                $0 + max($1.bodyBytes, scheduler.postponedBytes(of: $1.id) ?? 0)
            }
        }
        while incoming() > left {
            let oldest = running.min { $0.id < $1.id }
            let others = running.filter {
                $0 !== oldest && $0.bodyBytes > Self.lightBytes
                    && scheduler.postponedBytes(of: $0.id) == nil
            }
            guard let largest = others.max(by: { $0.bodyBytes < $1.bodyBytes }) else { break }
            let bytes = max(largest.bodyBytes, largest.handle?.declaredLength ?? 0)
            stopAttempt(largest)
            postponed.insert(largest.id)
            scheduler.postpone(largest.id, bytes: min(bytes, settings.bodyLimit), at: now)
            running.removeAll { $0 === largest }
        }
        scheduler.bodyBytes = (left, incoming())
    }

    /// Bodies up to this size are never stopped: they end soon, which frees as much memory.
    private static let lightBytes = 64 << 10

    private func pause() -> Int32 {
        let next = min(scheduler.nextEvent ?? .max, nextCheck)
        guard next != .max else { return 60_000 }
        return min(Int32(clamping: max(0, (next - now + 999_999) / 1_000_000)), 60_000)
    }

    private func finish(_ id: UInt64, _ result: Result<NetworkResponse, NetworkFailure>) {
        var outcome = remove(id, result)
        for waiter in callers.finish(id) {
            waiter.resume(returning: NetworkOutcome.Box(outcome))
            outcome.isShared = true
        }
    }

    private func remove(
        _ id: UInt64, _ result: Result<NetworkResponse, NetworkFailure>
    ) -> NetworkOutcome {
        guard let transfer = transfers.removeValue(forKey: id) else {
            return NetworkOutcome(result)
        }
        if transfer.hopStart == nil { transfer.outcome.timings.queue += now - transfer.queuedAt }
        releaseHandle(transfer)
        postponed.remove(id)
        transfer.outcome.result = result
        return transfer.outcome
    }

    private func slowest(_ count: Int) -> [NetworkProgress] {
        let used = transfers.keys.map { (id: $0, active: scheduler.activeTime(of: $0, at: now)) }
        let slowest = used.sorted { ($1.active, $0.id) < ($0.active, $1.id) }.prefix(max(0, count))
        return slowest.compactMap { id, active in
            guard let transfer = transfers[id] else { return nil }
            return NetworkProgress(
                url: transfer.address.text, stage: transfer.stage,
                attempts: scheduler.attempts(of: id), active: active,
                bytes: transfer.handle?.bodyBytes ?? 0)
        }
    }

    /// Starts an attempt, or its next hop.
    private func startAttempt(_ id: UInt64) {
        guard let transfer = transfers[id] else { return }
        if transfer.startsAtListedURL { transfer.restart() }
        transfer.outcome.timings.queue += now - transfer.queuedAt
        transfer.hopStart = now
        transfer.outcome.attempts = scheduler.attempts(of: id)
        do throws(NetworkFailure) {
            try AddressGuard.check(transfer.address, settings.addresses)
            guard let handle = idleHandles.popLast() ?? multi.makeHandle(),
                prepare(handle, for: transfer)
            else { throw NetworkFailure(.connect, "There is no memory for the transfer.") }
        } catch {
            failAttempt(transfer, error)
        }
    }

    /// Gives the next request of a transfer to curl; false if there is no memory.
    private func prepare(_ handle: CurlHandle, for transfer: Transfer) -> Bool {
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
        guard
            handle.prepare(
                transfer.address, id: transfer.id, isConditional: !conditions.isEmpty,
                newConnection: transfer.needsNewConnection, headers: headers,
                isNamed: settings.addresses.names(transfer.address), credentials: credentials),
            multi.add(handle)
        else { return false }
        if handle.isSecure { secureCount += 1 }
        transfer.handle = handle
        transfer.windowStart = nil
        setCheck(of: transfer, at: now + timeout)
        return true
    }

    /// Advances all transfers and handles the ends of transfers.
    private func perform() {
        multi.perform { handle, code in
            now = Int64(MonotonicClock.now)
            guard let transfer = transfers[handle.id], transfer.handle === handle else { return }
            ended(transfer, handle, code)
        }
    }

    private func ended(_ transfer: Transfer, _ handle: CurlHandle, _ code: CURLcode) {
        handle.fillTimes(&transfer.outcome)
        switch TransferVerdict(handle, code) {
        case .body: succeed(transfer, handle, handle.body)
        case .notModified: succeed(transfer, handle, [])
        case .redirect(let location): followRedirect(transfer, handle, to: location)
        case .failure(let failure): failAttempt(transfer, failure, headers: handle.headers)
        case .noName(let failure): lookUp(transfer, failure)
        case .noDescriptor(let failure):
            stopAttempt(transfer)
            scheduler.starve(transfer.id, failure, at: now)
        }
    }

    private func succeed(_ transfer: Transfer, _ handle: CurlHandle, _ body: [UInt8]) {
        let response = NetworkResponse(
            body: NetworkBody(body, ledger: ledger), status: handle.status,
            finalURL: transfer.address.text, headers: handle.headers, origin: .network)
        transfer.outcome.timings.active = scheduler.activeTime(of: transfer.id, at: now)
        transfer.outcome.redirectLifetime = transfer.redirectLifetime(at: now)
        scheduler.succeed(transfer.id, at: now)
        finish(transfer.id, .success(response))
    }

    /// Looks up why a name has no address, which curl does not report: only a temporary failure of
    /// DNS is retried. The lookup may block, so it has a thread.
    private func lookUp(_ transfer: Transfer, _ failure: NetworkFailure) {
        releaseHandle(transfer)
        transfer.isLookedUp = true
        setCheck(of: transfer, at: now + timeout)
        let (queue, id, host) = (queue, transfer.id, transfer.address.host)
        let lookUp = settings.lookUp
        let isStarted = Thread.start("emblem-dns", stackBytes: 256 << 10) {
            queue.send(.looked(id, lookUp(host) ?? failure))
        }
        if !isStarted { failAttempt(transfer, failure) }
    }

    private func followRedirect(_ transfer: Transfer, _ handle: CurlHandle, to location: String) {
        let (status, headers) = (handle.status, handle.headers)
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
        transfer.note(redirect: CacheFreshness.lifetime(redirect: status, headers), at: now)
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
        let address = transfer.address
        scheduler.fail(transfer.id, failure, retryAfter: wait, at: now)
        if let end = scheduler.pauseEnd(of: address.origin) {
            waits.note(address.host, until: end, at: now)
        }
    }

    private func stopAttempt(_ transfer: Transfer) {
        releaseHandle(transfer)
        transfer.isLookedUp = false
        transfer.hopStart = nil
        transfer.queuedAt = now
    }

    private func releaseHandle(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        transfer.handle = nil
        transfer.outcome.wireBytes += handle.wireBytes
        multi.remove(handle)
        if handle.isSecure { secureCount -= 1 }
        handle.clear()
        idleHandles.append(handle)
    }

    private func setCheck(of transfer: Transfer, at time: Int64) {
        transfer.checkAt = time
        nextCheck = min(nextCheck, time)
    }

    /// Ends the attempts that brought no connection, or less than 1 KB, within the timeout.
    private func checkStalls() {
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
        guard let requestedAt = handle.requestedAt else {
            return timeOut("The connection timed out.")
        }
        if transfer.windowStart == nil {
            // The first window begins when the request was sent, not when the loop noticed it.
            transfer.windowStart = requestedAt
            transfer.windowBytes = 0
            transfer.checkAt = requestedAt + timeout
            if transfer.checkAt > now { return }
        }
        let received = handle.received
        if received - transfer.windowBytes < 1024 {
            // The status decides the result if the body is not needed.
            if handle.isHeadDone, handle.isDiscarding { return ended(transfer, handle, CURLE_OK) }
            return timeOut("The transfer stalled: less than 1 KB arrived within the timeout.")
        }
        transfer.windowStart = now
        transfer.windowBytes = received
        transfer.checkAt = now + timeout
    }
}
