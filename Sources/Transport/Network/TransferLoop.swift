import Synchronization
import System

/// The queue of messages to the transfer loop, and the owner of its thread. Each transfer is
/// answered exactly once.
@safe
final class TransferQueue: Sendable {
    enum Message: Sendable {
        case load(TransferRequest, id: UInt64, Waiter<NetworkOutcome.Box>, at: Int64)
        case cancel(UInt64)
        case resolved(String, NameAnswer)
        case lane(TransferLane.Report)
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
    /// The lane that the event thread drives itself, and waits on.
    let lane: TransferLane

    /// Starts the event thread; nil if the system has no thread or no memory for it.
    static func start(
        _ settings: NetworkSettings, _ waits: HostWaits
    ) -> (TransferQueue, HeldBytes)? {
        let connections = DescriptorLimit.connections(atMost: settings.connections)
        let lanes = DescriptorLimit.lanes(settings.lanes, for: connections)
        let lane = TransferLane(settings, IncomingBytes(), index: lanes, keeping: connections)
        guard let lane else { return nil }
        let queue = TransferQueue(lane)
        let ledger = HeldBytes(mark: settings.heldBytesLimit ?? .max) { [weak queue] in
            queue?.lane.wake()
        }
        let thread = Thread("emblem-net", stackBytes: 1 << 20) {
            TransferLoop(
                queue, settings, ledger, waits, connections: connections, lanes: lanes
            ).run()
        }
        guard let thread else { return nil }
        queue.thread.withLock { $0 = thread }
        return (queue, ledger)
    }

    private init(_ lane: TransferLane) {
        self.lane = lane
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
        if id != nil { lane.wakeListener() }
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
        if isOpen { lane.wakeListener() }
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

/// The loop of the event thread: it takes messages, asks the scheduler what to start or to end, and
/// has the lanes carry the transfers out. Confined to its thread.
///
/// ``Transfer`` follows one transfer: its attempts, redirects and end.
@safe
final class TransferLoop {
    let queue: TransferQueue
    let settings: NetworkSettings
    let ledger: HeldBytes
    let waits: HostWaits
    let timeout: Int64
    let names: Resolver
    var scheduler: HostScheduler
    /// The callers that wait for each transfer.
    var callers = Coalescer<TransferRequest.Key, Waiter<NetworkOutcome.Box>>()
    var transfers: [UInt64: Transfer] = [:]
    let lanes: TransferLanes
    /// The time of the next check for stalled transfers.
    var nextCheck = Int64.max
    private var isStopping = false
    var now = Int64(MonotonicClock.now)

    init(
        _ queue: TransferQueue, _ settings: NetworkSettings, _ ledger: HeldBytes,
        _ waits: HostWaits, connections: Int, lanes: Int
    ) {
        self.queue = queue
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
        self.lanes = TransferLanes(settings, queue, ledger, connections: connections, lanes: lanes)
        scheduler = HostScheduler(limits: limits, seed: settings.seed)
        names = Resolver(settings.resolver) { [weak queue] host, answer in
            queue?.send(.resolved(host, answer))
        }
    }

    func run() {
        while true {
            for message in queue.collect() { take(message) }
            if isStopping { break }
            advance()
            lanes.perform { report in
                now = Int64(MonotonicClock.now)
                take(report)
            }
            if now >= nextCheck { checkStalls() }
            // The steps that follow from the reports are carried out before the loop waits.
            advance()
            lanes.wait(milliseconds: pause())
            now = Int64(MonotonicClock.now)
        }
        names.close()
        for id in callers.ids { finish(id, .failure(NetworkFailure(.canceled))) }
        lanes.close()
    }

    private func take(_ message: TransferQueue.Message) {
        switch message {
        case .load(let request, let id, let waiter, let time):
            guard callers.join(request.key, id: id, waiter) else { return }
            transfers[id] = Transfer(id, request, at: time)
            scheduler.add(
                id, origin: request.address.origin, timeLeft: request.timeLeft,
                failedBefore: request.failedBefore, at: now)
        case .cancel(let id): cancel(id)
        case .resolved(let host, let answer):
            for id in names.finish(host, answer, at: now) { resolved(id, host, answer) }
        case .lane(let report): take(report)
        case .progress(let count, let reader): reader.resume(returning: slowest(count))
        case .stop: isStopping = true
        }
    }

    private func take(_ report: TransferLane.Report) {
        switch report {
        case .returned(let handle): lanes.takeBack(handle)
        case .crowded: break  // The pace is set again after each report.
        case .ended(let handle, let end):
            // If the transfer was withdrawn meanwhile, the lane also reports its handle as
            // returned.
            guard let transfer = transfers[handle.tag], transfer.handle === handle else { return }
            transfer.isDone = true
            ended(transfer, end)
        }
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
            setPace()
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

    /// Keeps the bytes of incoming and delivered bodies within their limit: first no transfer
    /// starts while others run, then the transfer with the largest body is postponed, but never the
    /// oldest.
    private func setPace() {
        guard let limit = settings.heldBytesLimit else { return }
        let handedOut = ledger.value
        while handedOut + lanes.incomingBytes > limit, postponeLargest() {}
        scheduler.pace =
            if handedOut >= limit {
                .stopped
            } else if handedOut + lanes.incomingBytes >= limit {
                .single
            } else {
                .free
            }
    }

    private func postponeLargest() -> Bool {
        let bodies = scheduler.runningItems.compactMap { id in
            transfers[id].flatMap { transfer in transfer.incomingBody.map { (transfer, $0) } }
        }
        let oldest = bodies.min { $0.0.id < $1.0.id }?.0
        let others = bodies.filter { transfer, count in
            transfer !== oldest && count > Self.lightBytes && !scheduler.isHeavy(transfer.id)
        }
        guard let largest = others.max(by: { $0.1 < $1.1 })?.0 else { return false }
        stopAttempt(largest)
        scheduler.postpone(largest.id, at: now)
        return true
    }

    /// Bodies up to this size are never postponed: they end soon, which frees as much memory.
    private static let lightBytes = 64 << 10

    private func pause() -> Int32 {
        let next = min(scheduler.nextEvent ?? .max, nextCheck)
        guard next != .max else { return 60_000 }
        return min(Int32(clamping: max(0, (next - now + 999_999) / 1_000_000)), 60_000)
    }

    func finish(_ id: UInt64, _ result: Result<NetworkResponse, NetworkFailure>) {
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
                bytes: transfer.handle?.progress.bodyBytes ?? 0)
        }
    }
}

/// The callers of equal loads: the first begins the load, the others wait for the same result.
///
/// A load has the number of the caller that began it, and runs while at least one caller waits.
/// `LookAhead` has already grouped the rows of a list by source: there a waiting row costs no task,
/// and rows share the decoded image as well. Coalescing here is for callers without a list, and for
/// rows whose URLs are spelled differently but lead to one address.
package struct Coalescer<Key: Hashable, Waiter> {
    private struct Load {
        let key: Key
        var waiters: [(id: UInt64, waiter: Waiter)]
    }

    package enum LeaveResult {
        case unknown
        /// Other callers still wait for the load.
        case others(Waiter)
        /// The last caller has left the load with this number.
        case last(Waiter, load: UInt64)
    }

    private var loads: [UInt64: Load] = [:]
    private var loadOfKey: [Key: UInt64] = [:]
    private var loadOfWaiter: [UInt64: UInt64] = [:]

    package init() {}

    package var ids: [UInt64] { loads.keys.sorted() }

    /// Adds a caller; true if it begins the load, which then has the caller's number.
    package mutating func join(_ key: Key, id: UInt64, _ waiter: Waiter) -> Bool {
        if let load = loadOfKey[key] {
            loads[load]?.waiters.append((id, waiter))
            loadOfWaiter[id] = load
            return false
        }
        loads[id] = Load(key: key, waiters: [(id, waiter)])
        loadOfKey[key] = id
        loadOfWaiter[id] = id
        return true
    }

    package mutating func leave(_ id: UInt64) -> LeaveResult {
        guard let number = loadOfWaiter.removeValue(forKey: id), let load = loads[number],
            let index = load.waiters.firstIndex(where: { $0.id == id })
        else { return .unknown }
        let waiter = load.waiters[index].waiter
        guard load.waiters.count > 1 else {
            loads[number] = nil
            loadOfKey[load.key] = nil
            return .last(waiter, load: number)
        }
        loads[number]?.waiters.remove(at: index)
        return .others(waiter)
    }

    /// Ends a load and returns its callers in the order in which they joined.
    package mutating func finish(_ number: UInt64) -> [Waiter] {
        guard let load = loads.removeValue(forKey: number) else { return [] }
        loadOfKey[load.key] = nil
        for waiter in load.waiters { loadOfWaiter[waiter.id] = nil }
        return load.waiters.map(\.waiter)
    }
}
