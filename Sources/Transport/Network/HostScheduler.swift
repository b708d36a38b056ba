import System

/// The order in which items may connect: limits per host, pauses, retries and breakers.
///
/// A state machine without clock, threads or sockets: events come in with their time, and
/// `step(at:)` returns the next thing to do. Each item ends exactly once, by an `.end` step or by
/// the `succeed` of the caller. `HostScheduler+State.swift` holds the rules of failed attempts.
package struct HostScheduler: ~Copyable {
    /// The limits; times in nanoseconds.
    package struct Limits: Sendable {
        package var connections = 64
        package var perHost = 6
        package var retries = 2
        package var itemTime: Int64 = 30_000_000_000
        /// The shortest time between two requests to a host; 0 for no limit.
        package var spacing: Int64 = 0
        /// The number of consecutive failed items that opens a host's breaker.
        package var breakerItems = 10
        /// The rest of a host with an open breaker before each probe.
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
        /// Begin an item only when none runs.
        case single
        case stopped
    }

    let limits: Limits
    var wait: RetryWait
    var items: [UInt64: Item] = [:]
    var hosts: [String: Host] = [:]
    var turns = Deque<Host>()
    var due = Deque<Step>()
    var timers = TimerHeap<Timer>()
    var running: Set<UInt64> = []
    /// Items that were postponed; they run one at a time.
    var heavy = Deque<UInt64>()
    var heavyRunning: UInt64?
    /// No running item reaches its deadline before this time.
    var deadlineFloor = Int64.max
    /// A limit on the start of items, besides the permits.
    package var pace = Pace.free
    /// Lowered while the system lacks descriptors.
    var connectionsAllowed: Int

    package init(limits: Limits, seed: UInt64) {
        var limits = limits
        // Sums of times cannot overflow, even with the waits that servers ask for.
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
    /// - Parameter failedBefore: An interrupted run has seen it fail, so another failure does not
    ///   count towards the breaker.
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

    /// Moves a running item to another host, with the time that it has left but without its
    /// permits.
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
        // The response to a request from before the pause says nothing about the host after it.
        if item.host.pausedUntil <= now { item.host.pauseLeft = limits.itemTime }
        connectionsAllowed = min(connectionsAllowed + 1, limits.connections)
        forget(item)
    }

    /// Postpones a running item, because bodies fill the memory. It repeats its hop, with the time
    /// that it had, when no other postponed item runs. An item is postponed at most once.
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

    /// Returns the next step, or nil until another event or `nextEvent`.
    package mutating func step(at now: Int64) -> Step? {
        if let step = due.popFirst() { return step }
        wake(at: now)
        expire(at: now)
        if let step = due.popFirst() { return step }
        if running.count < allowed, let item = nextHeavy(at: now) {
            heavyRunning = item.id
            start(item, at: now)
            return .start(item.id)
        }
        if let step = due.popFirst() { return step }
        while running.count < allowed, let host = turns.popFirst() {
            host.isListed = false
            guard let item = next(of: host, at: now) else {
                dropIfIdle(host)
                continue
            }
            start(item, at: now)
            list(host, at: now)
            return .start(item.id)
        }
        return nil
    }

    private var allowed: Int {
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
        item.turn += 1
        if isGivenUp(item.host, at: now) {
            giveUp(item)
        } else if item.isHeavy {
            heavy.append(item.id)
        } else if first, item.host.openedAt == nil {
            item.host.queue.prepend(item.id)
        } else {
            item.host.queue.append(item.id)
        }
        list(item.host, at: now)
    }

    /// Queues a host for its turn if one of its items may start.
    mutating func list(_ host: Host, at now: Int64) {
        guard !host.isListed, !host.queue.isEmpty, mayStart(at: host, now) else { return }
        host.isListed = true
        turns.append(host)
    }

    /// Returns whether the host may get a request now; with an open breaker, one probe after each
    /// rest.
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

    /// Returns the first postponed item whose host has room, if none of them runs. Items before it
    /// move to the end of the queue.
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

    /// Releases the permits of a running item and stops its clock.
    mutating func release(_ item: Item, at now: Int64) {
        running.remove(item.id)
        if heavyRunning == item.id { heavyRunning = nil }
        item.host.running -= 1
        if item.isProbe { item.host.isProbed = false }
        item.timeLeft = max(0, item.deadline - now)
        item.deadline = .max
        list(item.host, at: now)
    }

    /// Pauses a host for the time that it asked for, up to the rest of the time that it may ask
    /// for.
    mutating func hold(_ host: Host, for pause: Int64, at now: Int64) {
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

    /// Keeps the record of a host after its last item has ended.
    ///
    /// The record outlives the pause. Otherwise a host whose items come one after another could ask
    /// for the whole time again with each.
    private mutating func remember(_ host: Host, until time: Int64) {
        if host.rememberedUntil == nil { timers.add(.record(host.origin), at: time) }
        host.rememberedUntil = time
    }

    /// Discards the record of a host that has asked for nothing for a while.
    private mutating func forget(_ host: Host, at now: Int64) {
        guard let time = host.rememberedUntil else { return }
        if time > now {
            timers.add(.record(host.origin), at: time)
        } else {
            host.rememberedUntil = nil
            dropIfIdle(host)
        }
    }

    mutating func wake(at now: Int64) {
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .host(let origin):
                if let host = host(known: origin) { list(host, at: now) }
            case .spacing(let origin):
                guard let host = host(known: origin) else { continue }
                host.isSpaced = false
                list(host, at: now)
                dropIfIdle(host)
            case .record(let origin):
                if let host = host(known: origin) { forget(host, at: now) }
            case .item(let id, let turn):
                guard let item = items[id], item.state == .waiting, item.turn == turn else {
                    continue
                }
                move(item, to: item.home)
                queue(item, first: true, at: now)
            }
        }
    }

    mutating func expire(at now: Int64) {
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
