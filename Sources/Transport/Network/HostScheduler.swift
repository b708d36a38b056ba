import System

/// A scheduler that decides when each item may connect: it applies limits per host, pauses, retries
/// and circuit breakers.
///
/// A state machine without clock, threads or sockets: the caller reports each event with its time,
/// and `step(at:)` returns the next step. Each item ends exactly once: by an `.end` step, or when
/// the caller calls `succeed`.
package struct HostScheduler: ~Copyable {
    /// The limits; times in nanoseconds.
    package struct Limits: Sendable {
        package var connections = 64
        package var perHost = 6
        package var retries = 2
        /// The time limit of an item, with all attempts and the waits between them.
        package var itemTime: Int64 = 30_000_000_000
        /// The shortest time between two requests to a host; 0 for no limit.
        package var spacing: Int64 = 0
        /// The number of consecutive failed items that opens a host's breaker.
        package var breakerItems = 10
        /// The pause of a host with an open breaker before each probe.
        package var breakerRest: Int64 = 5_000_000_000
        /// The number of failed probes after which a host is given up; 0 gives it up without a
        /// probe.
        package var breakerProbes = 3
        /// The time for which a host stays given up; nil for ever.
        package var givenUpTime: Int64?

        package init() {}
    }

    package enum Step: Equatable {
        /// Begin the next attempt of the item, or its next hop.
        case start(UInt64)
        /// The item has ended; the caller must stop its transfer.
        case end(UInt64, NetworkFailure)
    }

    let limits: Limits
    var wait: RetryWait
    var items: [UInt64: Item] = [:]
    var hosts: [String: Host] = [:]
    /// The hosts with an item that may start, in the order in which they start one.
    var readyHosts = Deque<Host>()
    /// Steps that the next calls of `step(at:)` return first.
    var pendingSteps = Deque<Step>()
    var timers = TimerHeap<Timer>()
    var running: Set<UInt64> = []
    /// A time before which no running item reaches its deadline.
    var deadlineFloor = Int64.max
    /// The bytes that bodies may fill, and the bytes that the bodies of running items fill; set by the
    /// caller. An item whose body does not fit is started only when no other item runs.
    package var bodyBytes = (limit: Int.max, incoming: 0)
    /// The limit on running items; less than `limits.connections` while the system lacks
    /// descriptors.
    var connectionsAllowed: Int

    package init(limits: Limits, seed: UInt64) {
        var limits = limits
        // Bounded so that sums of times cannot overflow, even with the waits that servers ask for.
        limits.itemTime = min(limits.itemTime, .max / 4)
        self.limits = limits
        wait = RetryWait(seed: seed)
        connectionsAllowed = limits.connections
    }

    package var count: Int { items.count }
    package var runningCount: Int { running.count }
    package var runningItems: [UInt64] { Array(running) }

    package var hostCount: Int { hosts.count }

    package func runningCount(at origin: String) -> Int { hosts[origin]?.running ?? 0 }

    /// Returns the end of the last wait that a host asked for; nil if it asked for none.
    package func pauseEnd(of origin: String) -> Int64? {
        hosts[origin].flatMap { $0.pausedUntil == .min ? nil : $0.pausedUntil }
    }

    /// The time of the next timer, at which `step(at:)` must be called again.
    package var nextEvent: Int64? {
        let timer = timers.earliest ?? .max
        let earliest = min(timer, deadlineFloor)
        return earliest == .max ? nil : earliest
    }

    /// Adds an item; `id` must be new.
    ///
    /// - Parameter failedBefore: Whether the item failed in an interrupted run. Another failure
    ///   then does not count towards the breaker.
    package mutating func add(
        _ id: UInt64, origin: String, timeLeft: Int64? = nil, failedBefore: Bool = false,
        at now: Int64
    ) {
        let host = host(origin)
        let item = Item(
            id: id, home: host, time: min(max(timeLeft ?? limits.itemTime, 0), limits.itemTime))
        item.failedBefore = failedBefore
        items[id] = item
        host.members += 1
        queue(item, first: false, at: now)
    }

    /// Queues a running item at the host that a redirect leads to, with the time that it has left.
    package mutating func redirect(_ id: UInt64, to origin: String, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        release(item, at: now)
        close(item.host, at: now)
        move(item, to: host(origin))
        item.isHop = true
        queue(item, first: true, at: now)
    }

    /// Ends a running item that has its response.
    package mutating func succeed(_ id: UInt64, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        release(item, at: now)
        close(item.host, at: now)
        // During a pause, a response belongs to an earlier request. It does not show that the host
        // accepts requests again.
        if item.host.pausedUntil <= now { item.host.pauseLeft = limits.itemTime }
        connectionsAllowed = min(connectionsAllowed + 1, limits.connections)
        forget(item)
    }

    /// Stops a running item because bodies fill the memory. The item repeats its request when `bytes`
    /// bytes are free, and the stopped request takes none of its time.
    package mutating func postpone(_ id: UInt64, bytes: Int, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        let timeLeft = item.timeLeft
        release(item, at: now)
        item.timeLeft = timeLeft
        item.bodyBytes = max(1, bytes)
        item.isHop = true
        queue(item, first: true, at: now)
    }

    /// The bytes of the body of an item that was postponed; nil for other items.
    package func postponedBytes(of id: UInt64) -> Int? {
        items[id].flatMap { $0.bodyBytes > 0 ? $0.bodyBytes : nil }
    }

    package mutating func cancel(_ id: UInt64, at now: Int64) {
        guard let item = items[id] else { return }
        if item.state == .running { release(item, at: now) }
        finish(item, NetworkFailure(.canceled), at: now)
    }

    package func activeTime(of id: UInt64, at now: Int64) -> Int64 {
        guard let item = items[id] else { return 0 }
        let left = item.state == .running ? item.deadline - now : item.timeLeft
        return item.time - left
    }

    package func attempts(of id: UInt64) -> Int { items[id]?.attempts ?? 0 }

    /// Returns the next step; nil if there is none until the caller reports an event or the time is
    /// `nextEvent`.
    package mutating func step(at now: Int64) -> Step? {
        if let step = pendingSteps.popFirst() { return step }
        fireTimers(at: now)
        expireItems(at: now)
        if let step = pendingSteps.popFirst() { return step }
        var blocked: [Host] = []
        defer { for host in blocked { enqueueIfReady(host, at: now) } }
        while running.count < connectionsAllowed, let host = readyHosts.popFirst() {
            host.isEnqueued = false
            guard let item = next(of: host, at: now) else {
                dropIfIdle(host)
                continue
            }
            guard hasRoom(for: item) else {
                host.queue.prepend(item.id)
                blocked.append(host)
                continue
            }
            start(item, at: now)
            enqueueIfReady(host, at: now)
            return .start(item.id)
        }
        return nil
    }

    private func hasRoom(for item: Item) -> Bool {
        guard bodyBytes.limit > 0 else { return false }
        return running.isEmpty || bodyBytes.incoming + item.bodyBytes < bodyBytes.limit
    }
}

extension HostScheduler {
    /// Queues an item at its host, or ends it if the host is given up.
    mutating func queue(_ item: Item, first: Bool, at now: Int64) {
        item.state = .queued
        if isGivenUp(item.host, at: now) {
            giveUp(item)
        } else if first, item.host.openedAt == nil {
            item.host.queue.prepend(item.id)
        } else {
            item.host.queue.append(item.id)
        }
        enqueueIfReady(item.host, at: now)
    }

    /// Adds a host to `readyHosts` if one of its items may start.
    mutating func enqueueIfReady(_ host: Host, at now: Int64) {
        guard !host.isEnqueued, !host.queue.isEmpty, mayStart(at: host, now) else { return }
        host.isEnqueued = true
        readyHosts.append(host)
    }

    /// Returns whether the host may get a request now. With an open breaker it gets one probe after
    /// each pause.
    private func mayStart(at host: Host, _ now: Int64) -> Bool {
        guard host.running < limits.perHost, host.pausedUntil <= now, host.spacedUntil <= now else {
            return false
        }
        guard let openedAt = host.openedAt else { return true }
        return !host.isProbed && now - openedAt >= limits.breakerRest
    }

    /// Returns the first item that waits for the host; nil if none may start.
    mutating func next(of host: Host, at now: Int64) -> Item? {
        guard mayStart(at: host, now) else { return nil }
        while let id = host.queue.popFirst() {
            if let item = items[id], item.state == .queued, item.host === host { return item }
        }
        return nil
    }

    mutating func start(_ item: Item, at now: Int64) {
        item.state = .running
        if item.isHop { item.isHop = false } else { item.attempts += 1 }
        let (deadline, overflows) = now.addingReportingOverflow(item.timeLeft)
        item.deadline = overflows ? .max : deadline
        deadlineFloor = min(deadlineFloor, item.deadline)
        item.host.running += 1
        running.insert(item.id)
        item.isProbe = item.host.openedAt != nil
        if item.isProbe { item.host.isProbed = true }
        if limits.spacing > 0 {
            item.host.spacedUntil = now + limits.spacing
            timers.add(.host(item.host.origin), at: item.host.spacedUntil)
        }
    }

    /// Ends the request of a running item: its connection no longer counts, and its remaining time
    /// is kept for the next start.
    mutating func release(_ item: Item, at now: Int64) {
        running.remove(item.id)
        item.host.running -= 1
        if item.isProbe { item.host.isProbed = false }
        item.timeLeft = max(0, item.deadline - now)
        item.deadline = .max
        enqueueIfReady(item.host, at: now)
    }

    /// Pauses a host for the time that it asked for, but for at most its remaining `pauseLeft`.
    mutating func delay(_ host: Host, for pause: Int64, at now: Int64) {
        let paused = max(now, host.pausedUntil)
        // The pause counts from now: several simultaneous responses ask for the same wait.
        let added = max(0, min(pause - (paused - now), host.pauseLeft))
        if added > 0 {
            host.pauseLeft -= added
            host.pausedUntil = paused + added
            timers.add(.host(host.origin), at: host.pausedUntil)
        }
    }

    mutating func fireTimers(at now: Int64) {
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .host(let origin):
                guard let host = host(known: origin) else { continue }
                if host.spacedUntil <= now { host.spacedUntil = .min }
                enqueueIfReady(host, at: now)
                dropIfIdle(host)
            case .item(let id):
                guard let item = items[id], item.state == .waiting, item.waitsUntil <= now else {
                    continue
                }
                move(item, to: item.home)
                queue(item, first: true, at: now)
            }
        }
    }

    mutating func expireItems(at now: Int64) {
        guard now >= deadlineFloor else { return }
        deadlineFloor = .max
        for id in running.sorted() {
            guard let item = items[id] else { continue }
            if item.deadline <= now {
                let failure = NetworkFailure(.timeout, "The time limit of the item is reached.")
                release(item, at: now)
                judge(item, failure, at: now)
                finish(item, failure, at: now)
            } else {
                deadlineFloor = min(deadlineFloor, item.deadline)
            }
        }
    }
}

extension HostScheduler {
    final class Item {
        enum State { case queued, running, waiting }

        let id: UInt64
        /// The host of the listed URL, where each attempt begins.
        let home: Host
        var host: Host
        var state = State.queued
        var attempts = 0
        /// The time limit of the item, in nanoseconds.
        let time: Int64
        /// The time that is left; outdated while the item runs, see `deadline`.
        var timeLeft: Int64
        var deadline = Int64.max
        /// The end of the wait before the next attempt.
        var waitsUntil = Int64.min
        var lastFailure: NetworkFailure?
        /// Whether the next start continues an attempt, after a redirect or a lack of descriptors.
        var isHop = false
        /// The bytes of its body, if it was postponed for their sake.
        var bodyBytes = 0
        /// Whether the item failed in an earlier, interrupted run.
        var failedBefore = false
        /// Whether the current attempt probes a host with an open breaker.
        var isProbe = false

        init(id: UInt64, home: Host, time: Int64) {
            self.id = id
            self.home = home
            self.time = time
            timeLeft = time
            host = home
        }
    }

    final class Host {
        let origin: String
        var queue = Deque<UInt64>()
        /// The number of items whose first or current hop goes to this host.
        var members = 0
        var running = 0
        /// Whether the host is in `readyHosts`.
        var isEnqueued = false
        var failuresInARow = 0
        /// The start of the current pause before a probe; nil while the breaker is closed.
        var openedAt: Int64?
        var isProbed = false
        var failedProbes = 0
        var givenUpAt: Int64?
        /// The time before which `limits.spacing` allows no request.
        var spacedUntil = Int64.min
        /// The end of the pause that the host asked for with `Retry-After` or 429.
        var pausedUntil = Int64.min
        /// The pause time, in nanoseconds, that the host may still ask for until a request to it
        /// succeeds.
        var pauseLeft: Int64
        init(origin: String, pauseLeft: Int64) {
            self.origin = origin
            self.pauseLeft = pauseLeft
        }
    }

    enum Timer {
        case item(UInt64)
        /// The end of a pause of the host, of a wait before a probe, or of the spacing after a request.
        case host(String)
    }

    func host(known origin: String) -> Host? { hosts[origin] }

    mutating func host(_ origin: String) -> Host {
        if let host = hosts[origin] { return host }
        let host = Host(origin: origin, pauseLeft: limits.itemTime)
        hosts[origin] = host
        return host
    }

    /// Returns whether the host's items end without an attempt. After `givenUpTime`, a single
    /// failure gives the host up again.
    func isGivenUp(_ host: Host, at now: Int64) -> Bool {
        guard let givenUpAt = host.givenUpAt else { return false }
        guard let time = limits.givenUpTime, now - givenUpAt >= time else { return true }
        host.givenUpAt = nil
        host.failuresInARow = limits.breakerItems - 1
        return false
    }

    /// Closes the breaker of a host after a response, and lets its items start.
    mutating func close(_ host: Host, at now: Int64) {
        host.failuresInARow = 0
        host.failedProbes = 0
        host.openedAt = nil
        host.givenUpAt = nil
        enqueueIfReady(host, at: now)
    }

    /// Applies a failed request to the breaker of its host, whether the item is retried or not.
    mutating func judge(_ item: Item, _ failure: NetworkFailure, at now: Int64) {
        let host = item.host
        if failure.kind.clearsHost {
            close(host, at: now)
        } else if item.isProbe, failure.kind.countsAgainstHost, host.openedAt != nil {
            host.failedProbes += 1
            open(host, at: now)
        }
    }

    /// Starts the pause before the next probe of a host. Gives the host up after too many failed
    /// probes.
    private mutating func open(_ host: Host, at now: Int64) {
        guard host.failedProbes >= limits.breakerProbes else {
            host.openedAt = now
            timers.add(.host(host.origin), at: now + limits.breakerRest)
            return
        }
        host.failedProbes = 0
        host.openedAt = nil
        host.givenUpAt = now
        flush(host, at: now)
    }

    /// Lets the next request of an item go to `host`, and updates the number of members of both
    /// hosts.
    mutating func move(_ item: Item, to host: Host) {
        guard item.host !== host else { return }
        if item.host !== item.home { leave(item.host) }
        item.host = host
        if host !== item.home { host.members += 1 }
    }

    private mutating func leave(_ host: Host) {
        host.members -= 1
        dropIfIdle(host)
    }

    mutating func dropIfIdle(_ host: Host) {
        if host.members == 0, host.failuresInARow == 0, host.openedAt == nil,
            host.givenUpAt == nil, !host.isEnqueued, host.spacedUntil == .min,
            host.pauseLeft == limits.itemTime, hosts[host.origin] === host
        {
            hosts[host.origin] = nil
        }
    }

    mutating func forget(_ item: Item) {
        move(item, to: item.home)
        leave(item.home)
        items[item.id] = nil
    }

    /// Ends an item, counts its failure against the host, and queues the `.end` step for the
    /// caller.
    mutating func finish(_ item: Item, _ failure: NetworkFailure, at now: Int64) {
        let host = item.host
        if failure.kind.countsAgainstHost, !item.failedBefore {
            host.failuresInARow += 1
            let isClosed = host.openedAt == nil && host.givenUpAt == nil
            if isClosed, host.failuresInARow >= limits.breakerItems { open(host, at: now) }
        }
        forget(item)
        pendingSteps.append(.end(item.id, failure))
    }

    /// Ends an item whose host was given up before the item was started.
    mutating func giveUp(_ item: Item) {
        let failure = item.lastFailure ?? Self.hostSkipped
        forget(item)
        pendingSteps.append(.end(item.id, failure))
    }

    /// Ends the items that wait for a host that was just given up.
    private mutating func flush(_ host: Host, at now: Int64) {
        while let id = host.queue.popFirst() {
            guard let item = items[id], item.state == .queued, item.host === host else { continue }
            giveUp(item)
        }
    }

    static var hostSkipped: NetworkFailure {
        NetworkFailure(.hostSkipped, "Too many consecutive items failed at this host.")
    }
}

/// The retry rules of the loader: a failed attempt is retried if its failure may be temporary, and
/// attempts and time are left.
extension HostScheduler {
    /// Ends the attempt of a running item, and decides whether it is retried.
    ///
    /// - Parameter retryAfter: The wait that the server asked for. The host is paused for it even
    ///   if the item ends; other items that wait for the host lose none of their time.
    package mutating func fail(
        _ id: UInt64, _ failure: NetworkFailure, retryAfter: Int64? = nil, at now: Int64
    ) {
        guard let item = items[id], item.state == .running else { return }
        release(item, at: now)
        item.lastFailure = failure
        judge(item, failure, at: now)
        guard failure.isPassing else { return finish(item, failure, at: now) }
        let pause = retryAfter ?? wait.nanoseconds(afterAttempt: item.attempts)
        if retryAfter != nil || failure.kind == .rateLimited {
            // A pause longer than the time limit of items is cut to the longest wait before a
            // retry.
            delay(item.host, for: pause < limits.itemTime ? pause : RetryWait.longest, at: now)
        }
        guard item.attempts <= limits.retries, pause < item.timeLeft, !isGivenUp(item.home, at: now)
        else { return finish(item, failure, at: now) }
        item.timeLeft -= pause
        item.state = .waiting
        item.waitsUntil = now + pause
        timers.add(.item(id), at: now + pause)
    }

    /// Ends the attempt of a running item that found no file descriptor. The item is retried when
    /// another item has ended, and the attempt does not count. If no other item runs, the attempt
    /// fails as in `fail`.
    package mutating func starve(_ id: UInt64, _ failure: NetworkFailure, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        guard running.count > 1 else {
            fail(id, failure, at: now)
            return
        }
        release(item, at: now)
        connectionsAllowed = max(1, min(connectionsAllowed, running.count))
        item.isHop = true
        queue(item, first: true, at: now)
    }
}

package struct RetryWait {
    /// The longest wait before a retry, in nanoseconds, unless the server asks for a longer one.
    static let longest: Int64 = 10_000_000_000

    private var generator: SeededRandom

    init(seed: UInt64) {
        generator = SeededRandom(seed: seed)
    }

    /// Returns 250 ms, doubled with each attempt up to 10 s, plus or minus half at random.
    mutating func nanoseconds(afterAttempt attempt: Int) -> Int64 {
        let base: Int64 = 250_000_000
        let doubled =
            attempt > 6 ? Self.longest : min(base << Int64(max(0, attempt - 1)), Self.longest)
        let jittered = doubled / 2 + Int64(generator.next() % UInt64(doubled))
        return min(jittered, Self.longest)
    }

    /// Returns the wait of a `Retry-After`: seconds, or a date minus `now` (seconds since 1970;
    /// zero for a date in the past). Returns nil for any other text.
    package static func nanoseconds(retryAfter text: String, now: Int64) -> Int64? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        let seconds: Int64
        if isNumber {
            seconds = Int64(text) ?? .max
        } else if let date = HTTPDate.seconds(text) {
            seconds = max(0, date - now)
        } else {
            return nil
        }
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product
    }
}

struct TimerHeap<Element> {
    private var entries: [(at: Int64, element: Element)] = []

    var earliest: Int64? { entries.first?.at }

    mutating func add(_ element: Element, at time: Int64) {
        entries.append((time, element))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].at < entries[parent].at else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popDue(at now: Int64) -> Element? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first.element
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].at < entries[least].at {
                least = child
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
