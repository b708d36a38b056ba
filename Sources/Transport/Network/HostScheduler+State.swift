import System

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
        /// The number of the current wait, so that the timers of earlier waits are ignored.
        var waitNumber = 0
        var lastFailure: NetworkFailure?
        /// Whether the next start continues an attempt, after a redirect or a lack of descriptors.
        var isHop = false
        /// Whether the item was postponed because its body is large.
        var isHeavy = false
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
        /// Whether the last request started less than `limits.spacing` ago.
        var isSpaced = false
        /// The end of the pause that the host asked for with `Retry-After` or 429.
        var pausedUntil = Int64.min
        /// The pause time, in nanoseconds, that the host may still ask for until a request to it
        /// succeeds.
        var pauseLeft: Int64
        /// The earliest time at which the record of its pauses is discarded; nil without a record.
        var rememberedUntil: Int64?

        init(origin: String, pauseLeft: Int64) {
            self.origin = origin
            self.pauseLeft = pauseLeft
        }
    }

    enum Timer {
        case item(UInt64, waitNumber: Int)
        /// The end of a pause of the host, or of a wait before a probe.
        case host(String)
        /// The end of the spacing after a request to the host.
        case spacing(String)
        /// The time at which the record of a host's pauses may be discarded.
        case record(String)
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
            host.givenUpAt == nil, !host.isEnqueued, !host.isSpaced, host.rememberedUntil == nil,
            hosts[host.origin] === host
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
        item.waitNumber += 1
        timers.add(.item(id, waitNumber: item.waitNumber), at: now + pause)
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
