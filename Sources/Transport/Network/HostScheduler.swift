import System

/// A scheduler that decides when each item may connect: it applies limits per host, pauses, retries
/// and circuit breakers.
///
/// A state machine without clock, threads or sockets: the caller reports each event with its time,
/// and `step(at:)` returns the next step. Each item ends exactly once: by an `.end` step, or when
/// the caller calls `succeed`.
package struct HostScheduler: ~Copyable {
    package enum Step: Equatable {
        /// Begin the next attempt of the item, or its next hop.
        case start(UInt64)
        /// The item has ended; the caller must stop its transfer.
        case end(UInt64, ItemFailure)
    }

    private final class Item {
        enum State { case queued, running, waiting }

        let id: UInt64
        /// The host of the listed URL, where each attempt begins.
        let home: String
        /// The host of the next request.
        var host: Host
        var state = State.queued
        var attempts = 0
        /// The time limit of the item, in nanoseconds.
        let time: Int64
        /// The time that is left; outdated while the item runs, see `due`.
        var timeLeft: Int64
        /// The deadline of a running item, or the end of the wait before the next attempt.
        var due = Int64.max
        var lastFailure: ItemFailure?
        /// Whether the next start continues an attempt, after a redirect or a lack of descriptors.
        var isHop = false
        /// The bytes of its body, if it was postponed for their sake.
        var bodyBytes = 0
        /// Whether the item failed in an earlier, interrupted run.
        let failedBefore: Bool
        /// Whether the current attempt probes a host with an open breaker.
        var isProbe = false

        init(_ id: UInt64, _ host: Host, time: Int64, failedBefore: Bool) {
            self.id = id
            self.host = host
            self.time = time
            self.failedBefore = failedBefore
            home = host.origin
            timeLeft = time
        }
    }

    private enum Breaker {
        case closed
        /// One item may probe the host from this time on.
        case open(until: Int64)
        case givenUp(at: Int64)
    }

    private final class Host {
        let origin: String
        var queue = Deque<UInt64>()
        var running = 0
        /// Whether the host is in `readyHosts`.
        var isEnqueued = false
        var failuresInARow = 0
        var breaker = Breaker.closed
        var isProbed = false
        var failedProbes = 0
        /// The time before which the rate allows no request.
        var spacedUntil = Int64.min
        /// The end of the pause that the host asked for with `Retry-After` or 429.
        var pausedUntil = Int64.min
        /// The pause time, in nanoseconds, that the host may still ask for until a request to it
        /// succeeds.
        var pauseLeft: Int64

        init(_ origin: String, pauseLeft: Int64) {
            self.origin = origin
            self.pauseLeft = pauseLeft
        }
    }

    private enum Timer {
        /// The deadline of an item, or the end of its wait before the next attempt.
        case item(UInt64)
        /// The end of a pause, of a wait before a probe, or of the spacing after a request.
        case host(String)
    }

    /// The pause of a host with an open breaker before each probe, in nanoseconds.
    private static let breakerRest: Int64 = 5_000_000_000

    private let settings: NetworkSettings
    /// The time limit of an item, in nanoseconds.
    private let itemTime: Int64
    private var wait: RetryWait
    private var items: [UInt64: Item] = [:]
    /// The hosts with items, and those whose failures or pauses are remembered.
    private var hosts: [String: Host] = [:]
    /// The hosts with an item that may start, in the order in which they start one.
    private var readyHosts = Deque<Host>()
    /// Steps that the next calls of `step(at:)` return first.
    private var pendingSteps = Deque<Step>()
    private var timers = TimerHeap<Timer>()
    private var running: Set<UInt64> = []
    /// The greatest number of running items.
    private let connections: Int
    /// The limit on running items; less than `connections` while the system lacks descriptors.
    private var connectionsAllowed: Int
    /// The bytes that bodies may fill, and the bytes that the bodies of running items fill; set by the
    /// caller. An item whose body does not fit is started only when no other item runs.
    package var bodyBytes = (limit: Int.max, incoming: 0)

    package init(_ settings: NetworkSettings, connections: Int) {
        self.settings = settings
        self.connections = connections
        connectionsAllowed = connections
        // Bounded so that sums of times cannot overflow, even with the waits that servers ask for.
        itemTime = min(settings.itemTimeout.nanoseconds, .max / 4)
        wait = RetryWait(seed: settings.seed)
    }

    package var runningItems: Set<UInt64> { running }

    package func activeTime(of id: UInt64, at now: Int64) -> Int64 {
        guard let item = items[id] else { return 0 }
        return item.time - (item.state == .running ? item.due - now : item.timeLeft)
    }

    package func attempts(of id: UInt64) -> Int { items[id]?.attempts ?? 0 }

    /// The bytes of the body of an item that was postponed; zero for other items.
    package func postponedBytes(of id: UInt64) -> Int { items[id]?.bodyBytes ?? 0 }

    /// The time of the next timer, at which `step(at:)` must be called again.
    package var nextEvent: Int64? {
        mutating get {
            // The timer of an item that has moved on since it was set is outdated.
            while let first = timers.first, case .item(let id) = first.element,
                items[id].map({ $0.due > first.at }) ?? true
            {
                _ = timers.popFirst()
            }
            return timers.first?.at
        }
    }

    /// Returns the next step; nil if there is none until the caller reports an event or the time is
    /// `nextEvent`.
    package mutating func step(at now: Int64) -> Step? {
        if pendingSteps.isEmpty { fireTimers(at: now) }
        if let step = pendingSteps.popFirst() { return step }
        var full: [Host] = []
        defer { for host in full { enqueueIfReady(host, at: now) } }
        while running.count < connectionsAllowed, hasRoom(for: 0), let host = readyHosts.popFirst()
        {
            host.isEnqueued = false
            guard let item = next(of: host, at: now) else {
                forgetIfIdle(host, at: now)
                continue
            }
            guard hasRoom(for: item.bodyBytes) else {
                host.queue.prepend(item.id)
                full.append(host)
                continue
            }
            start(item, at: now)
            enqueueIfReady(host, at: now)
            return .start(item.id)
        }
        return nil
    }

    // MARK: Events

    /// Adds an item; `id` must be new.
    ///
    /// - Parameter failedBefore: Whether the item failed in an interrupted run. Another failure
    ///   then does not count towards the breaker.
    package mutating func add(
        _ id: UInt64, origin: String, timeLeft: Int64? = nil, failedBefore: Bool = false,
        at now: Int64
    ) {
        let time = min(max(timeLeft ?? itemTime, 0), itemTime)
        let item = Item(id, host(origin), time: time, failedBefore: failedBefore)
        items[id] = item
        queue(item, at: item.host, first: false, now)
    }

    /// Queues a running item at the host that a redirect leads to, with the time that it has left.
    package mutating func redirect(_ id: UInt64, to origin: String, at now: Int64) {
        guard let item = release(id, at: now) else { return }
        close(item.host, at: now)
        forgetIfIdle(item.host, at: now)
        item.isHop = true
        queue(item, at: host(origin), first: true, now)
    }

    /// Ends a running item that has its response.
    package mutating func succeed(_ id: UInt64, at now: Int64) {
        guard let item = release(id, at: now) else { return }
        close(item.host, at: now)
        // During a pause, a response belongs to an earlier request. It does not show that the host
        // accepts requests again.
        if item.host.pausedUntil <= now { item.host.pauseLeft = itemTime }
        connectionsAllowed = min(connectionsAllowed + 1, connections)
        items[id] = nil
        forgetIfIdle(item.host, at: now)
    }

    /// Ends the attempt of a running item, and decides whether it is retried: if its failure may be
    /// temporary, and attempts and time are left.
    ///
    /// - Parameter retryAfter: The wait that the server asked for. The host is paused for it even
    ///   if the item ends; other items that wait for the host lose none of their time.
    package mutating func fail(
        _ id: UInt64, _ failure: ItemFailure, retryAfter: Int64? = nil, at now: Int64
    ) {
        guard let item = release(id, at: now) else { return }
        item.lastFailure = failure
        judge(item, failure, at: now)
        guard failure.isRetryable else { return finish(item, failure, at: now) }
        let pause = retryAfter ?? wait.nanoseconds(afterAttempt: item.attempts)
        if retryAfter != nil || failure.errorClass == .rateLimited {
            // A pause longer than the time limit of items is cut to the longest wait before a
            // retry.
            delay(item.host, for: pause < itemTime ? pause : RetryWait.longest, at: now)
        }
        guard item.attempts <= settings.retries, pause < item.timeLeft,
            !isGivenUp(host(item.home), at: now)
        else { return finish(item, failure, at: now) }
        item.timeLeft -= pause
        item.state = .waiting
        item.due = now + pause
        timers.add(.item(id), at: item.due)
        forgetIfIdle(item.host, at: now)
    }

    /// Ends the attempt of a running item that found no file descriptor. The item is retried when
    /// another item has ended, and the attempt does not count. If no other item runs, the attempt
    /// fails as in `fail`.
    package mutating func starve(_ id: UInt64, _ failure: ItemFailure, at now: Int64) {
        guard running.count > 1 else { return fail(id, failure, at: now) }
        guard let item = release(id, at: now) else { return }
        connectionsAllowed = max(1, min(connectionsAllowed, running.count))
        item.isHop = true
        queue(item, at: item.host, first: true, now)
    }

    /// Stops a running item because bodies fill the memory. The item repeats its request when `bytes`
    /// bytes are free, and the stopped request takes none of its time.
    package mutating func postpone(_ id: UInt64, bytes: Int, at now: Int64) {
        let timeLeft = items[id]?.timeLeft
        guard let item = release(id, at: now), let timeLeft else { return }
        item.timeLeft = timeLeft
        item.bodyBytes = max(1, bytes)
        item.isHop = true
        queue(item, at: item.host, first: true, now)
    }

    package mutating func cancel(_ id: UInt64, at now: Int64) {
        guard let item = items[id] else { return }
        _ = release(id, at: now)
        end(item, ItemFailure(.canceled), at: now)
    }

    // MARK: Items

    /// Queues an item at a host, or ends it if the host is given up.
    private mutating func queue(_ item: Item, at host: Host, first: Bool, _ now: Int64) {
        item.host = host
        item.state = .queued
        if isGivenUp(host, at: now) { return skip(item, at: now) }
        if first, case .closed = host.breaker {
            host.queue.prepend(item.id)
        } else {
            host.queue.append(item.id)
        }
        enqueueIfReady(host, at: now)
    }

    private func hasRoom(for bytes: Int) -> Bool {
        guard bodyBytes.limit > 0 else { return false }
        return running.isEmpty || bodyBytes.incoming + bytes < bodyBytes.limit
    }

    private mutating func start(_ item: Item, at now: Int64) {
        let host = item.host
        item.state = .running
        if item.isHop { item.isHop = false } else { item.attempts += 1 }
        let (deadline, overflows) = now.addingReportingOverflow(item.timeLeft)
        item.due = overflows ? .max : deadline
        timers.add(.item(item.id), at: item.due)
        host.running += 1
        running.insert(item.id)
        item.isProbe = false
        if case .open = host.breaker {
            item.isProbe = true
            host.isProbed = true
        }
        if let spacing = settings.rate?.spacing {
            host.spacedUntil = now + spacing
            timers.add(.host(host.origin), at: host.spacedUntil)
        }
    }

    /// Ends the request of a running item and returns the item, whose remaining time is kept for the
    /// next start. Returns nil if the item does not run.
    private mutating func release(_ id: UInt64, at now: Int64) -> Item? {
        guard let item = items[id], item.state == .running else { return nil }
        running.remove(id)
        item.host.running -= 1
        if item.isProbe { item.host.isProbed = false }
        item.timeLeft = max(0, item.due - now)
        item.due = .max
        enqueueIfReady(item.host, at: now)
        return item
    }

    /// Ends an item and counts its failure against the host.
    private mutating func finish(_ item: Item, _ failure: ItemFailure, at now: Int64) {
        let host = item.host
        if failure.countsAgainstHost, !item.failedBefore {
            host.failuresInARow += 1
            if case .closed = host.breaker, host.failuresInARow >= settings.breakerItems {
                open(host, at: now)
            }
        }
        end(item, failure, at: now)
    }

    /// Ends an item whose host was given up before the item was started.
    private mutating func skip(_ item: Item, at now: Int64) {
        let skipped = ItemFailure(.hostSkipped, "Too many consecutive items failed at this host.")
        end(item, item.lastFailure ?? skipped, at: now)
    }

    private mutating func end(_ item: Item, _ failure: ItemFailure, at now: Int64) {
        items[item.id] = nil
        pendingSteps.append(.end(item.id, failure))
        forgetIfIdle(item.host, at: now)
    }

    private mutating func fireTimers(at now: Int64) {
        while let first = timers.first, first.at <= now {
            switch timers.popFirst() {
            case .host(let origin)?:
                guard let host = hosts[origin] else { continue }
                enqueueIfReady(host, at: now)
                forgetIfIdle(host, at: now)
            case .item(let id)?:
                guard let item = items[id], item.due <= now else { continue }
                if item.state == .waiting {
                    item.due = .max
                    queue(item, at: host(item.home), first: true, now)
                } else if release(id, at: now) != nil {
                    let failure = ItemFailure(.timeout, "The time limit of the item is reached.")
                    judge(item, failure, at: now)
                    finish(item, failure, at: now)
                }
            case nil: return
            }
        }
    }

    // MARK: Hosts

    private mutating func host(_ origin: String) -> Host {
        if let host = hosts[origin] { return host }
        let host = Host(origin, pauseLeft: itemTime)
        hosts[origin] = host
        return host
    }

    /// Discards a host without items, failures and pauses.
    private mutating func forgetIfIdle(_ host: Host, at now: Int64) {
        guard host.running == 0, host.queue.isEmpty, !host.isEnqueued, host.failuresInARow == 0,
            case .closed = host.breaker, host.spacedUntil <= now, host.pausedUntil <= now,
            host.pauseLeft == itemTime, hosts[host.origin] === host
        else { return }
        hosts[host.origin] = nil
    }

    /// Adds a host to `readyHosts` if one of its items may start.
    private mutating func enqueueIfReady(_ host: Host, at now: Int64) {
        guard !host.isEnqueued, !host.queue.isEmpty, mayStart(at: host, now) else { return }
        host.isEnqueued = true
        readyHosts.append(host)
    }

    /// Returns whether the host may get a request now. With an open breaker it gets one probe after
    /// each pause.
    private func mayStart(at host: Host, _ now: Int64) -> Bool {
        guard host.running < settings.perHost, max(host.pausedUntil, host.spacedUntil) <= now else {
            return false
        }
        return switch host.breaker {
        case .closed: true
        case .open(let time): !host.isProbed && time <= now
        case .givenUp: false
        }
    }

    /// Returns the first item that waits for the host; nil if none may start.
    private mutating func next(of host: Host, at now: Int64) -> Item? {
        mayStart(at: host, now) ? dequeue(host) : nil
    }

    /// Removes the first item that waits for the host; nil if none does. The queue may still have
    /// items that have ended.
    private func dequeue(_ host: Host) -> Item? {
        while let id = host.queue.popFirst() {
            if let item = items[id], item.state == .queued, item.host === host { return item }
        }
        return nil
    }

    /// Pauses a host for the time that it asked for, but for at most its remaining `pauseLeft`.
    private mutating func delay(_ host: Host, for pause: Int64, at now: Int64) {
        let paused = max(now, host.pausedUntil)
        // The pause counts from now: several simultaneous responses ask for the same wait.
        let added = max(0, min(pause - (paused - now), host.pauseLeft))
        guard added > 0 else { return }
        host.pauseLeft -= added
        host.pausedUntil = paused + added
        timers.add(.host(host.origin), at: host.pausedUntil)
    }

    /// Returns whether the host's items end without an attempt. After `givenUpTime`, a single
    /// failure gives the host up again.
    private func isGivenUp(_ host: Host, at now: Int64) -> Bool {
        guard case .givenUp(let start) = host.breaker else { return false }
        guard let time = settings.givenUpTime?.nanoseconds, now - start >= time else { return true }
        host.breaker = .closed
        host.failuresInARow = settings.breakerItems - 1
        return false
    }

    /// Closes the breaker of a host after a response, and lets its items start.
    private mutating func close(_ host: Host, at now: Int64) {
        host.failuresInARow = 0
        host.failedProbes = 0
        host.breaker = .closed
        enqueueIfReady(host, at: now)
    }

    /// Applies a failed request to the breaker of its host, whether the item is retried or not.
    private mutating func judge(_ item: Item, _ failure: ItemFailure, at now: Int64) {
        if failure.clearsHost {
            close(item.host, at: now)
        } else if item.isProbe, failure.countsAgainstHost, case .open = item.host.breaker {
            item.host.failedProbes += 1
            open(item.host, at: now)
        }
    }

    /// Starts the pause before the next probe of a host. Gives the host up and ends its items after
    /// too many failed probes.
    private mutating func open(_ host: Host, at now: Int64) {
        guard host.failedProbes >= settings.breakerProbes else {
            let end = now + Self.breakerRest
            host.breaker = .open(until: end)
            timers.add(.host(host.origin), at: end)
            return
        }
        host.failedProbes = 0
        host.breaker = .givenUp(at: now)
        while let item = dequeue(host) { skip(item, at: now) }
    }
}

extension ItemFailure {
    /// Whether the failure counts towards the breaker of its host.
    fileprivate var countsAgainstHost: Bool {
        switch errorClass {
        case .dns, .connect, .tls, .timeout, .http5xx: true
        default: false
        }
    }

    /// Whether the failure shows that the host is up: it answered with a status below 500.
    fileprivate var clearsHost: Bool {
        switch errorClass {
        case .http4xx, .rateLimited, .redirect, .tooLarge, .truncated: true
        default: false
        }
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
        } else if let date = ResponseHeaders.seconds(ofDate: text) {
            seconds = max(0, date - now)
        } else {
            return nil
        }
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product
    }
}

/// A heap of elements with times; the first is the earliest.
struct TimerHeap<Element> {
    private var entries: [(at: Int64, element: Element)] = []

    var first: (at: Int64, element: Element)? { entries.first }

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

    mutating func popFirst() -> Element? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first.element }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].at < entries[least].at {
                least = child
            }
            if least == parent { return first.element }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
