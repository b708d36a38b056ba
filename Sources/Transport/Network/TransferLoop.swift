import CLibCurl
import Synchronization
import System

/// The queue of messages to the transfer loop, and the owner of its thread. Each transfer is
/// answered exactly once.
final class TransferQueue: Sendable {
    typealias Caller = Waiter<NetworkOutcome.Box>

    enum Message: Sendable {
        case load(TransferRequest, Caller, at: Int64)
        case cancel(Caller)
        /// The reason why the name of a transfer has no address.
        case looked(UInt64, ItemFailure)
        case stop
    }

    private struct Mailbox {
        var messages: [Message] = []
        var isClosed = false
    }

    private let mailbox = Mutex(Mailbox())
    private let thread = Mutex<Thread?>(nil)
    private let multi: CurlMulti
    /// The bytes of the bodies that callers hold.
    let ledger: HeldBytes

    /// Starts the thread of the loop; nil if the system has no thread or no memory for it.
    init?(_ settings: NetworkSettings) {
        let connections = CurlLibrary.connections(atMost: settings.connections)
        guard let multi = CurlMulti(settings, keeping: connections) else { return nil }
        self.multi = multi
        ledger = HeldBytes(mark: settings.heldBytesLimit ?? .max) { [weak multi] in multi?.wake() }
        let started = Thread("emblem-net", stackBytes: 1 << 20) { [self] in
            TransferLoop(self, multi, settings, connections: connections).run()
        }
        guard let started else { return nil }
        thread.withLock { $0 = started }
    }

    /// Loads one address. If the calling task is cancelled, the result is `canceled` at once.
    func load(_ request: TransferRequest) async -> NetworkOutcome.Box {
        let caller = Caller()
        guard !Task.isCancelled,
            send(.load(request, caller, at: Int64(MonotonicClock.now)))
        else { return .canceled }
        return await caller.value { self.send(.cancel(caller)) }
    }

    /// Ends all transfers as canceled and waits for the event thread.
    func shutDown() {
        send(.stop)
        thread.withLock { $0.take() }?.join()
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
            defer { box.messages = [] }
            return box.messages
        }
    }
}

/// A request for a transfer.
///
/// This is a class because tens of thousands of tasks may wait at once, and each then holds one
/// word instead of all fields.
final class TransferRequest: Sendable {
    /// Two requests with equal keys share one transfer.
    struct Key: Hashable {
        let url: String
        let credentials: WebAddress.Credentials?
        let validators: Validators?
        let headers: [NetworkHeader]
        let omitsHeaders: Bool
    }

    let source: NetworkRequest
    let address: WebAddress
    let validators: Validators?
    let cacheKey: String

    init(
        _ source: NetworkRequest, _ address: WebAddress, validators: Validators?, cacheKey: String
    ) {
        self.source = source
        self.address = address
        self.validators = validators
        self.cacheKey = cacheKey
    }

    var key: Key {
        Key(
            url: address.text, credentials: address.credentials, validators: validators,
            headers: source.headers, omitsHeaders: source.omitsHeaders)
    }
}

/// A transfer from its first attempt to its end. Confined to the thread of the loop.
private final class Transfer {
    let id: UInt64
    let request: TransferRequest
    /// The callers that wait for the result.
    var callers: [TransferQueue.Caller] = []
    /// The present URL: the listed one, or that of the last redirect.
    var address: WebAddress
    var hops = 0
    /// Whether the headers for the first host may be sent to the current host.
    var keepsHeaders = true
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
    var outcome = NetworkOutcome(.failure(ItemFailure(.canceled)))
    /// The second at which the first of the redirects since the listed URL expires; nil if one of
    /// them must not be cached.
    var routeEnd: Int64? = ResponseHeaders.direct

    init(_ id: UInt64, _ request: TransferRequest, at now: Int64) {
        self.id = id
        self.request = request
        address = request.address
        queuedAt = now
    }

    func restart() {
        startsAtListedURL = false
        address = request.address
        hops = 0
        keepsHeaders = !request.source.omitsHeaders
        routeEnd = ResponseHeaders.direct
    }

    /// The header lines that ask the server whether the stored response is still valid.
    var conditions: [String] {
        guard let validators = request.validators, validators.url == address.text else { return [] }
        return [
            validators.etag.map { "If-None-Match: \($0)" },
            validators.lastModified.map { "If-Modified-Since: \($0)" },
        ].compactMap { $0 }
    }
}

/// The loop of the thread that carries all transfers with one multi handle of curl. Confined to its
/// thread.
///
/// curl resolves names, keeps connections and transfers. The loop gives a handle to curl when the
/// ``HostScheduler`` says that the transfer may start, since waiting inside curl counts towards its
/// time limits. Equal requests share one transfer, which runs while at least one caller waits.
@safe
private final class TransferLoop {
    private let queue: TransferQueue
    private let multi: CurlMulti
    private let settings: NetworkSettings
    private let timeout: Int64
    private var scheduler: HostScheduler
    private var transfers: [UInt64: Transfer] = [:]
    private var nextID: UInt64 = 1
    private var transferOfKey: [TransferRequest.Key: Transfer] = [:]
    private var transferOfCaller: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [CurlHandle] = []
    /// Whether a transfer was stopped because bodies filled the memory.
    private var hasPostponed = false
    /// The number of transfers with TLS that curl carries.
    private var secureCount = 0
    /// The time of the next check for stalled transfers.
    private var nextCheck = Int64.max
    private var now = Int64(MonotonicClock.now)

    init(
        _ queue: TransferQueue, _ multi: CurlMulti, _ settings: NetworkSettings, connections: Int
    ) {
        self.queue = queue
        self.multi = multi
        self.settings = settings
        timeout = settings.timeout.nanoseconds
        scheduler = HostScheduler(settings, connections: connections)
    }

    func run() {
        while take(queue.collect()) {
            advance()
            multi.perform { handle, code in
                now = Int64(MonotonicClock.now)
                guard let transfer = transfers[handle.id], transfer.handle === handle else {
                    return
                }
                ended(transfer, handle, code)
            }
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
        for id in transfers.keys.sorted() { finish(id, .failure(ItemFailure(.canceled))) }
    }

    /// Handles messages; false if the loop must stop.
    private func take(_ messages: [TransferQueue.Message]) -> Bool {
        for message in messages {
            switch message {
            case .load(let request, let caller, let time): load(request, caller, at: time)
            case .cancel(let caller): cancel(caller)
            case .looked(let id, let failure):
                guard let transfer = transfers[id], transfer.isLookedUp else { continue }
                failAttempt(transfer, failure)
            case .stop: return false
            }
        }
        return true
    }

    private func load(_ request: TransferRequest, _ caller: TransferQueue.Caller, at time: Int64) {
        let key = request.key
        let transfer = transferOfKey[key] ?? Transfer(nextID, request, at: time)
        transfer.callers.append(caller)
        transferOfCaller[ObjectIdentifier(caller)] = transfer
        guard transfer.id == nextID else { return }
        nextID += 1
        transfers[transfer.id] = transfer
        transferOfKey[key] = transfer
        scheduler.add(
            transfer.id, origin: request.address.origin,
            timeLeft: request.source.timeLeft?.nanoseconds,
            failedBefore: request.source.failedBefore, at: now)
    }

    private func cancel(_ caller: TransferQueue.Caller) {
        guard let transfer = transferOfCaller.removeValue(forKey: ObjectIdentifier(caller)) else {
            return
        }
        transfer.callers.removeAll { $0 === caller }
        if transfer.callers.isEmpty {
            // A later request must not join a transfer that is about to end.
            transferOfKey[transfer.request.key] = nil
            scheduler.cancel(transfer.id, at: now)
        }
        caller.resume(returning: .canceled)
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
                        (transfer.request.source.timeLeft ?? settings.itemTimeout).nanoseconds
                }
                finish(id, .failure(failure))
            }
        }
    }

    /// Keeps the bytes of incoming and delivered bodies within their limit: the transfer with the
    /// largest body is stopped and starts again when its body fits, but never the oldest.
    private func limitBodies() {
        guard let limit = settings.heldBytesLimit else { return }
        let left = limit - queue.ledger.value
        scheduler.bodyBytes = (left, multi.incomingBytes)
        guard multi.incomingBytes > left || hasPostponed else { return }
        var running = scheduler.runningItems.compactMap { transfers[$0] }.sorted { $0.id < $1.id }
        func incoming() -> Int {
            running.reduce(0) {
                $0 + max($1.handle?.bodyBytes ?? 0, scheduler.postponedBytes(of: $1.id))
            }
        }
        while incoming() > left {
            let light = Self.lightBytes
            let others = running.dropFirst().filter {
                $0.handle?.bodyBytes ?? 0 > light && scheduler.postponedBytes(of: $0.id) == 0
            }
            let largest = others.max { $0.handle?.bodyBytes ?? 0 < $1.handle?.bodyBytes ?? 0 }
            guard let largest, let handle = largest.handle else { break }
            let bytes = max(handle.bodyBytes, handle.declaredLength)
            stopAttempt(largest)
            hasPostponed = true
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

    /// Ends a transfer, whose callers get the result in the order in which they came.
    private func finish(_ id: UInt64, _ result: Result<NetworkResponse, ItemFailure>) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        if transfer.hopStart == nil { transfer.outcome.timings.queue += now - transfer.queuedAt }
        releaseHandle(transfer)
        transfer.outcome.result = result
        guard !transfer.callers.isEmpty else { return }
        transferOfKey[transfer.request.key] = nil
        for caller in transfer.callers {
            transferOfCaller[ObjectIdentifier(caller)] = nil
            caller.resume(returning: NetworkOutcome.Box(transfer.outcome))
            transfer.outcome.isShared = true
        }
    }

    /// Starts an attempt, or its next hop.
    private func startAttempt(_ id: UInt64) {
        guard let transfer = transfers[id] else { return }
        if transfer.startsAtListedURL { transfer.restart() }
        transfer.outcome.timings.queue += now - transfer.queuedAt
        transfer.hopStart = now
        transfer.outcome.attempts = scheduler.attempts(of: id)
        do throws(ItemFailure) {
            try settings.check(transfer.address)
            guard let handle = idleHandles.popLast() ?? multi.makeHandle(),
                prepare(handle, for: transfer)
            else { throw ItemFailure(.connect, "There is no memory for the transfer.") }
        } catch {
            failAttempt(transfer, error)
        }
    }

    /// Gives the next request of a transfer to curl; false if there is no memory.
    private func prepare(_ handle: CurlHandle, for transfer: Transfer) -> Bool {
        let credentials = transfer.hops == 0 ? transfer.address.credentials : nil
        let conditions = transfer.conditions
        let headers =
            (transfer.keepsHeaders
                ? settings.headerLines(adding: transfer.request.source.headers) : [])
            + conditions + (credentials?.signedHeaders ?? [])
        guard
            handle.prepare(
                transfer.address, id: transfer.id, isConditional: !conditions.isEmpty,
                newConnection: transfer.needsNewConnection, headers: headers,
                isNamed: settings.names(transfer.address), credentials: credentials),
            multi.add(handle)
        else { return false }
        if handle.isSecure { secureCount += 1 }
        transfer.handle = handle
        transfer.windowStart = nil
        setCheck(of: transfer, at: now + timeout)
        return true
    }

    /// Classifies a transfer that has ended: first by the reason for which a callback stopped it,
    /// then by the status, then by curl's result.
    private func ended(_ transfer: Transfer, _ handle: CurlHandle, _ code: CURLcode) {
        handle.fillTimes(&transfer.outcome)
        let headers = handle.headers
        if let failure = handle.stopFailure {
            failAttempt(transfer, failure, headers)
        } else if handle.isHeadDone, handle.isDiscarding || handle.status < 200 {
            switch handle.status {
            case 304 where handle.isConditional: succeed(transfer, handle, headers, [])
            case 301, 302, 303, 307, 308: followRedirect(transfer, handle.status, headers)
            case let status: failAttempt(transfer, Self.failure(ofStatus: status), headers)
            }
        } else if handle.isHeadDone, code == CURLE_OK {
            succeed(transfer, handle, headers, handle.body)
        } else if handle.lacksDescriptors {
            stopAttempt(transfer)
            let failure = ItemFailure(.connect, "No file descriptor is left for a connection.")
            scheduler.starve(transfer.id, failure, at: now)
        } else if code == CURLE_COULDNT_CONNECT, handle.wasBlocked {
            failAttempt(transfer, .notPublic, headers)
        } else if code == CURLE_COULDNT_RESOLVE_HOST {
            lookUp(transfer, handle.failure(of: code))
        } else {
            failAttempt(transfer, handle.failure(of: code), headers)
        }
    }

    private static func failure(ofStatus status: Int) -> ItemFailure {
        switch status {
        case 300, 305, 306:
            ItemFailure(
                .redirect, "The redirect status \(status) is not supported.", status: status)
        case 429: ItemFailure(.rateLimited, "\(status)", status: status)
        case 400..<500:
            ItemFailure(.http4xx, "\(status)", status: status, isRetryable: status == 408)
        case 500..<600: ItemFailure(.http5xx, "\(status)", status: status)
        default: ItemFailure(.badHTTP, "Unexpected status \(status).", status: status)
        }
    }

    private func succeed(
        _ transfer: Transfer, _ handle: CurlHandle, _ headers: ResponseHeaders, _ body: [UInt8]
    ) {
        let response = NetworkResponse(
            body: NetworkBody(body, ledger: queue.ledger), status: handle.status,
            finalURL: transfer.address.text, headers: headers, origin: .network)
        transfer.outcome.timings.active = scheduler.activeTime(of: transfer.id, at: now)
        transfer.outcome.redirectLifetime = transfer.routeEnd.map { end in
            end == ResponseHeaders.direct ? end : max(0, end - now / 1_000_000_000)
        }
        scheduler.succeed(transfer.id, at: now)
        finish(transfer.id, .success(response))
    }

    /// Looks up why a name has no address, which curl does not report: only a temporary failure of
    /// DNS is retried. The lookup may block, so it has a thread.
    private func lookUp(_ transfer: Transfer, _ failure: ItemFailure) {
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

    private func followRedirect(_ transfer: Transfer, _ status: Int, _ headers: ResponseHeaders) {
        do throws(ItemFailure) {
            guard let location = headers.location else {
                throw ItemFailure(
                    .redirect, "The redirect \(status) has no Location header.", status: status)
            }
            let next = try transfer.address.following(location)
            transfer.hops += 1
            guard transfer.hops <= settings.redirects else {
                throw ItemFailure(.redirect, "More than \(settings.redirects) redirects.")
            }
            // Also checked here, so that a forbidden address fails before it waits for a
            // connection.
            try settings.check(next)
            transfer.keepsHeaders =
                transfer.keepsHeaders && transfer.address.sharesHeaders(with: next)
            transfer.address = next
        } catch {
            return failAttempt(transfer, error)
        }
        transfer.outcome.redirects += 1
        let seconds = headers.lifetime(ofRedirect: status)
        transfer.routeEnd = transfer.routeEnd.flatMap { end in
            seconds.map { $0 == ResponseHeaders.direct ? end : min(end, now / 1_000_000_000 + $0) }
        }
        stopAttempt(transfer)
        scheduler.redirect(transfer.id, to: transfer.address.origin, at: now)
    }

    /// Reports a failed attempt; the scheduler decides whether it is retried.
    private func failAttempt(
        _ transfer: Transfer, _ failure: ItemFailure,
        _ headers: ResponseHeaders = ResponseHeaders()
    ) {
        transfer.outcome.timings.active = scheduler.activeTime(of: transfer.id, at: now)
        stopAttempt(transfer)
        transfer.startsAtListedURL = true
        // The server may have closed its other idle connections as well.
        transfer.needsNewConnection = failure.errorClass == .connect
        scheduler.fail(
            transfer.id, failure,
            retryAfter: headers.retryAfter.flatMap {
                RetryWait.nanoseconds(retryAfter: $0, now: WallClock.nowSeconds)
            }, at: now)
    }

    private func stopAttempt(_ transfer: Transfer) {
        releaseHandle(transfer)
        transfer.isLookedUp = false
        transfer.hopStart = nil
        transfer.queuedAt = now
    }

    private func releaseHandle(_ transfer: Transfer) {
        guard let handle = transfer.handle.take() else { return }
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
        func timeOut(_ reason: String) { failAttempt(transfer, ItemFailure(.timeout, reason)) }
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
