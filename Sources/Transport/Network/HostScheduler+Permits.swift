import System

extension HostScheduler {
    /// Puts an item in its host's queue, or ends it where the host is given up.
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

    /// Gives a host its turn if it has work and room.
    mutating func list(_ host: Host, at now: Int64) {
        guard !host.isListed, !host.queue.isEmpty, mayStart(at: host, now) else { return }
        host.isListed = true
        turns.append(host)
    }

    /// Whether the host may get a request now; with an open breaker that is one probe after each rest.
    private func mayStart(at host: Host, _ now: Int64) -> Bool {
        guard host.running < limits.perHost, host.pausedUntil <= now, !host.isSpaced else {
            return false
        }
        guard let openedAt = host.openedAt else { return true }
        return !host.isProbed && now - openedAt >= limits.breakerRest
    }

    /// The host's first item that still waits; nil where none may start.
    mutating func next(of host: Host, at now: Int64) -> Item? {
        guard mayStart(at: host, now) else { return nil }
        while let id = host.queue.popFirst() {
            if let item = items[id], item.state == .queued, item.host === host { return item }
        }
        return nil
    }

    /// The first heavy item whose host has room, when no other one runs; those whose host has
    /// none go to the end of the line.
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

    /// Takes the permits of a running item back and stops its clock.
    mutating func release(_ item: Item, at now: Int64) {
        running.remove(item.id)
        if heavyRunning == item.id { heavyRunning = nil }
        item.host.running -= 1
        if item.isProbe { item.host.isProbed = false }
        item.timeLeft = max(0, item.deadline - now)
        item.deadline = .max
        list(item.host, at: now)
    }

    /// Leaves a host alone for as long as it asked, or for what is left of the time that it may
    /// ask for.
    mutating func hold(_ host: Host, for pause: Int64, at now: Int64) {
        let paused = max(now, host.pausedUntil)
        // Counted from now: six answers at once ask for one wait.
        let added = max(0, min(pause - (paused - now), host.pauseLeft))
        if added > 0 {
            host.pauseLeft -= added
            host.pausedUntil = paused + added
            timers.add(.host(host.origin), at: host.pausedUntil)
        }
        remember(host, until: paused + added + limits.itemTime)
    }

    /// Keeps what the host asked for on its record, though its last item ends meanwhile.
    ///
    /// That is kept beyond the pause, as a host whose items come one after another, each when the one
    /// before it has ended, would be granted the whole time anew for each.
    private mutating func remember(_ host: Host, until time: Int64) {
        if host.rememberedUntil == nil { timers.add(.record(host.origin), at: time) }
        host.rememberedUntil = time
    }

    /// Forgets a host that has asked for nothing for a while.
    private mutating func forget(_ host: Host, at now: Int64) {
        guard let time = host.rememberedUntil else { return }
        if time > now {
            timers.add(.record(host.origin), at: time)
        } else {
            host.rememberedUntil = nil
            dropIfIdle(host)
        }
    }

    /// Ends waits whose time has come.
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

    /// Ends running items whose time is up.
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
