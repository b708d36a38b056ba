import System

extension HostScheduler {
    /// One source on its way.
    final class Item {
        enum State { case queued, running, waiting }

        let id: UInt64
        /// Where every attempt begins.
        let home: Host
        /// Where its present hop leads.
        var host: Host
        var state = State.queued
        var attempts = 0
        /// All the time that it has.
        let time: Int64
        /// What is left of its time; while it runs, `deadline` says it.
        var timeLeft: Int64
        var deadline = Int64.max
        /// Sets timers of earlier waits apart from the present one.
        var turn = 0
        var lastFailure: NetworkFailure?
        /// The next start goes on with an attempt that a redirect or a lack of descriptors broke.
        var isHop = false
        /// Its body was too much beside the others'.
        var isHeavy = false
        /// An interrupted run has seen it fail.
        var failedBefore = false
        /// Its present or last request was to find out whether the host answers again.
        var isProbe = false

        init(id: UInt64, home: Host, time: Int64) {
            self.id = id
            self.home = home
            self.time = time
            timeLeft = time
            host = home
        }
    }

    /// A scheme, name and port.
    final class Host {
        let origin: String
        var queue = Deque<UInt64>()
        /// Items whose present hop or first one is here.
        var members = 0
        var running = 0
        var isListed = false
        var failuresInARow = 0
        /// The beginning of the present rest; nil while the breaker is closed.
        var openedAt: Int64?
        /// A probe is in flight.
        var isProbed = false
        var probesInVain = 0
        var givenUpAt: Int64?
        /// The last request was begun less than a spacing ago.
        var isSpaced = false
        /// Nothing is begun here before this; asked for by the host itself.
        var pausedUntil = Int64.min
        /// What the host may still ask for before it answers well again.
        var pauseLeft: Int64
        /// What it asked for is on its record until then at least; nil where nothing is.
        var rememberedUntil: Int64?

        init(origin: String, pauseLeft: Int64) {
            self.origin = origin
            self.pauseLeft = pauseLeft
        }
    }

    enum Timer {
        case item(UInt64, turn: Int)
        /// A pause or a rest of the host may be over.
        case host(String)
        /// The next request to the host may begin.
        case spacing(String)
        /// What the host asked for may be forgotten.
        case record(String)
    }

    func host(known origin: String) -> Host? { hosts[origin] }

    mutating func host(_ origin: String) -> Host {
        if let host = hosts[origin] { return host }
        let host = Host(origin: origin, pauseLeft: limits.itemTime)
        hosts[origin] = host
        return host
    }

    /// Whether the host's items end untried. After `givenUpTime` a single failure gives it up again.
    func isGivenUp(_ host: Host, at now: Int64) -> Bool {
        guard let givenUpAt = host.givenUpAt else { return false }
        guard let time = limits.givenUpTime, now - givenUpAt >= time else { return true }
        host.givenUpAt = nil
        host.failuresInARow = limits.breakerItems - 1
        return false
    }

    /// Closes the breaker of a host that has answered.
    mutating func close(_ host: Host, at now: Int64) {
        host.failuresInARow = 0
        host.probesInVain = 0
        host.openedAt = nil
        host.givenUpAt = nil
        list(host, at: now)
    }

    /// Applies the end of one request, with retries left or not, to its host's breaker.
    mutating func judge(_ item: Item, _ failure: NetworkFailure, at now: Int64) {
        let host = item.host
        if failure.kind.clearsHost {
            close(host, at: now)
        } else if item.isProbe, failure.kind.countsAgainstHost, host.openedAt != nil {
            host.probesInVain += 1
            open(host, at: now)
        }
    }

    /// Lets a host rest before the next probe, or gives it up.
    private mutating func open(_ host: Host, at now: Int64) {
        guard host.probesInVain >= limits.breakerProbes else {
            host.openedAt = now
            timers.add(.host(host.origin), at: now + limits.breakerRest)
            return
        }
        host.probesInVain = 0
        host.openedAt = nil
        host.givenUpAt = now
        flush(host, at: now)
    }

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

    /// A host without items is kept only for what it has on its record.
    mutating func dropIfIdle(_ host: Host) {
        if host.members == 0, host.failuresInARow == 0, host.openedAt == nil,
            host.givenUpAt == nil, !host.isListed, !host.isSpaced, host.rememberedUntil == nil,
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

    /// Ends an item: its host's record is brought up to date, and the caller told.
    mutating func finish(_ item: Item, _ failure: NetworkFailure, at now: Int64) {
        let host = item.host
        if failure.kind.countsAgainstHost, !item.failedBefore {
            host.failuresInARow += 1
            let isClosed = host.openedAt == nil && host.givenUpAt == nil
            if isClosed, host.failuresInARow >= limits.breakerItems { open(host, at: now) }
        }
        forget(item)
        due.append(.end(item.id, failure))
    }

    /// Ends an item whose host was given up before its turn came.
    mutating func giveUp(_ item: Item) {
        let failure = item.lastFailure ?? Self.hostSkipped
        forget(item)
        due.append(.end(item.id, failure))
    }

    /// Ends what waits for a host that has just been given up.
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
