import System

/// A scheduler that decides when each item may connect: it applies limits per host, pauses, retries
/// and circuit breakers.
///
/// A state machine without clock, threads or sockets: the caller reports each event with its time,
/// and `step(at:)` returns the next step. Each item ends exactly once: by an `.end` step, or when
/// the caller calls `succeed`. `HostScheduler+State.swift` holds the rules of failed attempts.
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

    /// The limit on starts, set by the caller according to free memory.
    package enum Pace: Sendable {
        case free
        /// Start an item only when no other item runs.
        case single
        case stopped
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
    /// Items that were postponed; they run one at a time.
    var heavy = Deque<UInt64>()
    var heavyRunning: UInt64?
    /// A time before which no running item reaches its deadline.
    var deadlineFloor = Int64.max
    /// The caller's limit on starts, in addition to `connectionsAllowed`.
    package var pace = Pace.free
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

    /// Stops a running item because bodies fill the memory. The item repeats its request when no
    /// other postponed item runs, and the stopped request takes none of its time. An item is
    /// postponed at most once.
    package mutating func postpone(_ id: UInt64, at now: Int64) {
        guard let item = items[id], item.state == .running, !item.isHeavy else { return }
        let timeLeft = item.timeLeft
        release(item, at: now)
        item.timeLeft = timeLeft
        item.isHeavy = true
        item.isHop = true
        queue(item, first: true, at: now)
    }

    package func isHeavy(_ id: UInt64) -> Bool { items[id]?.isHeavy ?? false }

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
        if running.count < runningLimit, let item = nextHeavy(at: now) {
            heavyRunning = item.id
            start(item, at: now)
            return .start(item.id)
        }
        if let step = pendingSteps.popFirst() { return step }
        while running.count < runningLimit, let host = readyHosts.popFirst() {
            host.isEnqueued = false
            guard let item = next(of: host, at: now) else {
                dropIfIdle(host)
                continue
            }
            start(item, at: now)
            enqueueIfReady(host, at: now)
            return .start(item.id)
        }
        return nil
    }

    private var runningLimit: Int {
        switch pace {
        case .free: connectionsAllowed
        case .single: 1
        case .stopped: 0
        }
    }
}

extension HostScheduler {
    /// Queues an item at its host, or ends it if the host is given up.
    mutating func queue(_ item: Item, first: Bool, at now: Int64) {
        item.state = .queued
        item.waitNumber += 1
        if isGivenUp(item.host, at: now) {
            giveUp(item)
        } else if item.isHeavy {
            heavy.append(item.id)
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
        guard host.running < limits.perHost, host.pausedUntil <= now, !host.isSpaced else {
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

    /// Returns the first postponed item whose host may get a request; nil while another postponed
    /// item runs. Items before it move to the end of the queue.
    mutating func nextHeavy(at now: Int64) -> Item? {
        guard heavyRunning == nil else { return nil }
        for _ in 0..<heavy.count {
            guard let id = heavy.popFirst() else { return nil }
            guard let item = items[id], item.state == .queued else { continue }
            if isGivenUp(item.host, at: now) {
                giveUp(item)
            } else if mayStart(at: item.host, now) {
                return item
            } else {
                heavy.append(id)
            }
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
            item.host.isSpaced = true
            timers.add(.spacing(item.host.origin), at: now + limits.spacing)
        }
    }

    /// Ends the request of a running item: its connection no longer counts, and its remaining time
    /// is kept for the next start.
    mutating func release(_ item: Item, at now: Int64) {
        running.remove(item.id)
        if heavyRunning == item.id { heavyRunning = nil }
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
        remember(host, until: paused + added + limits.itemTime)
    }

    /// Keeps the remaining `pauseLeft` of a host until `time`, even after its last item has ended.
    ///
    /// Otherwise a host whose items come one after another could ask for the full pause time with
    /// each item.
    private mutating func remember(_ host: Host, until time: Int64) {
        if host.rememberedUntil == nil { timers.add(.record(host.origin), at: time) }
        host.rememberedUntil = time
    }

    /// Discards the record of a host whose time has passed, unless a later pause extended that
    /// time.
    private mutating func forget(_ host: Host, at now: Int64) {
        guard let time = host.rememberedUntil else { return }
        if time > now {
            timers.add(.record(host.origin), at: time)
        } else {
            host.rememberedUntil = nil
            dropIfIdle(host)
        }
    }

    mutating func fireTimers(at now: Int64) {
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .host(let origin):
                if let host = host(known: origin) { enqueueIfReady(host, at: now) }
            case .spacing(let origin):
                guard let host = host(known: origin) else { continue }
                host.isSpaced = false
                enqueueIfReady(host, at: now)
                dropIfIdle(host)
            case .record(let origin):
                if let host = host(known: origin) { forget(host, at: now) }
            case .item(let id, let waitNumber):
                guard let item = items[id], item.state == .waiting, item.waitNumber == waitNumber
                else {
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
