import System

/// Who may connect next, who must wait, and who is done: the politeness of the loader.
///
/// A state machine without clock, threads or sockets: events come in with their time, and
/// `step(at:)` says one after another what must be done. Every item ends exactly once, by an
/// `.end` step or by the `succeed` that the caller reports itself.
package struct HostScheduler: ~Copyable {
    /// What bounds the work; times in nanoseconds.
    package struct Limits: Sendable {
        package var connections = 64
        package var perHost = 6
        package var retries = 2
        package var itemTime: Int64 = 30_000_000_000
        /// The least time between two requests to a host; 0 for none.
        package var spacing: Int64 = 0
        /// Items in a row whose failure opens a host's breaker.
        package var breakerItems = 10
        /// The rest of a host with an open breaker before each probe.
        package var breakerRest: Int64 = 5_000_000_000
        /// Probes in vain after which a host is given up; 0 gives it up without any.
        package var breakerProbes = 3
        /// How long a host stays given up; nil until the end.
        package var givenUpTime: Int64?

        package init() {}
    }

    /// What the caller must do.
    package enum Step: Equatable {
        /// Begin the item's next attempt, or its next hop.
        case start(UInt64)
        /// The item is over; whatever runs for it must be torn down.
        case end(UInt64, NetworkFailure)
    }

    /// A brake for the caller, who knows what memory there is.
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
    /// Items that gave way once; they run one at a time.
    var heavy = Deque<UInt64>()
    var heavyRunning: UInt64?
    /// No running item's time is up before this.
    var deadlineFloor = Int64.max
    /// How much may be begun, whatever the permits say.
    package var pace = Pace.free
    /// Lowered while the system lacks descriptors.
    var connectionsAllowed: Int

    package init(limits: Limits, seed: UInt64) {
        var limits = limits
        // Sums of times stay within their type, whatever servers ask for.
        limits.itemTime = min(limits.itemTime, .max / 4)
        self.limits = limits
        wait = RetryWait(seed: seed)
        connectionsAllowed = limits.connections
    }

    /// Items under way or waiting.
    package var count: Int { items.count }
    package var runningCount: Int { running.count }
    /// The items that run, in no order.
    package var runningItems: [UInt64] { Array(running) }

    /// Hosts that have items, or something on their record.
    package var hostCount: Int { hosts.count }

    /// How many items run against a host.
    package func runningCount(at origin: String) -> Int { hosts[origin]?.running ?? 0 }

    /// The end of the last wait that a host asked for; nil where it asked for none.
    package func pauseEnd(of origin: String) -> Int64? {
        hosts[origin].flatMap { $0.pausedUntil == .min ? nil : $0.pausedUntil }
    }

    /// The time at which `step(at:)` has something new to say by itself.
    package var nextEvent: Int64? {
        let timer = timers.earliest ?? .max
        let earliest = min(timer, deadlineFloor)
        return earliest == .max ? nil : earliest
    }

    /// Takes an item in; `id` must be new.
    ///
    /// - Parameter failedBefore: An interrupted run has seen it fail. Another failure does not count
    ///   towards the breaker.
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

    /// The running item goes on at another host, with its clock but without its permits.
    package mutating func redirect(_ id: UInt64, to origin: String, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        release(item, at: now)
        close(item.host, at: now)
        move(item, to: host(origin))
        item.isHop = true
        queue(item, first: true, at: now)
    }

    /// The running item has its answer.
    package mutating func succeed(_ id: UInt64, at now: Int64) {
        guard let item = items[id], item.state == .running else { return }
        release(item, at: now)
        close(item.host, at: now)
        // An answer to a question from before the pause says nothing about what comes after it.
        if item.host.pausedUntil <= now { item.host.pauseLeft = limits.itemTime }
        connectionsAllowed = min(connectionsAllowed + 1, limits.connections)
        forget(item)
    }

    /// The running item's attempt came to nothing: it waits for another one, or ends.
    ///
    /// `retryAfter` is the wait that the server asked for. The host is left alone for it whatever
    /// becomes of the item; others who stand in line there lose none of their own time by that.
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
            // More than any item has is not waited for, but nobody is rushed either.
            hold(item.host, for: pause < limits.itemTime ? pause : RetryWait.longest, at: now)
        }
        guard item.attempts <= limits.retries, pause < item.timeLeft, !isGivenUp(item.home, at: now)
        else { return finish(item, failure, at: now) }
        item.timeLeft -= pause
        item.state = .waiting
        item.turn += 1
        timers.add(.item(id, turn: item.turn), at: now + pause)
    }

    /// The running item found no descriptor: it is tried again, uncounted, once another item has
    /// ended. When nothing else runs it fails as any other.
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

    /// The running item gives way, because bodies fill the memory: it begins its hop anew, with
    /// the time it had, when no other such item runs. An item gives way once.
    package mutating func postpone(_ id: UInt64, at now: Int64) {
        guard let item = items[id], item.state == .running, !item.isHeavy else { return }
        let timeLeft = item.timeLeft
        release(item, at: now)
        item.timeLeft = timeLeft
        item.isHeavy = true
        item.isHop = true
        queue(item, first: true, at: now)
    }

    /// Whether an item gave way before.
    package func isHeavy(_ id: UInt64) -> Bool { items[id]?.isHeavy ?? false }

    /// Ends an item in whatever state it is.
    package mutating func cancel(_ id: UInt64, at now: Int64) {
        guard let item = items[id] else { return }
        if item.state == .running { release(item, at: now) }
        finish(item, NetworkFailure(.canceled), at: now)
    }

    /// The time that an item has used of its own, up to now.
    package func activeTime(of id: UInt64, at now: Int64) -> Int64 {
        guard let item = items[id] else { return 0 }
        let left = item.state == .running ? item.deadline - now : item.timeLeft
        return item.time - left
    }

    /// How many attempts of an item have begun.
    package func attempts(of id: UInt64) -> Int { items[id]?.attempts ?? 0 }

    /// The next thing to do, or nil until another event or `nextEvent`.
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
