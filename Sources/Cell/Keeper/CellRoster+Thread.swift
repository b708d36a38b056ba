/// What the keeper's thread does with the roster.
extension CellRoster {
    mutating func add(_ cell: Cell, startsUntil deadline: UInt64) {
        startedCount += 1
        seats[cell.serial] = Seat(cell: cell, phase: .starting, deadline: deadline)
    }

    /// A report came in. Any that nobody waits for breaks the rules.
    mutating func receive(_ report: CellReport, from serial: Int) -> [Call] {
        guard let seat = seats[serial], seat.sentence == nil else { return [] }
        switch (seat.phase, report) {
        case (.starting, .ready(let confinement)):
            self.confinement = confinement
            if let lack = settings.isolation.lack(in: confinement) {
                // No other would fare better.
                self.lack = lack
                return dismissAll() + seats.keys.compactMap { condemn($0, .closed) }
            }
            seats[serial]?.deadline = .max
            seats[serial]?.phase = .idle
            idle.append(serial)
            return serveAll()
        case (.leased, .document), (.leased, .header), (.leased, .room), (.leased, .done):
            guard let reply = seat.reply else { break }
            seats[serial]?.reply = nil
            seats[serial]?.deadline = .max
            seats[serial]?.look = .max
            return [.reply(reply, .report(report))]
        default: break
        }
        return [condemn(serial, .crashed("an answer that nobody asked for"))].compactMap { $0 }
    }

    private mutating func serveAll() -> [Call] {
        var calls: [Call] = []
        while !waiters.isEmpty, let serial = idle.popLast(), let seat = seats[serial] {
            seats[serial]?.phase = .leased
            calls.append(.lease(waiters.removeFirst().continuation, .success(seat.cell)))
        }
        return calls
    }

    /// The process of a cell has ended and was waited for.
    mutating func bury(_ serial: Int, _ end: CellEnd, now: UInt64) -> [Call] {
        guard let seat = seats[serial] else { return [] }
        let end = seat.sentence ?? end
        if end.isCrash, seat.cell.isDivided { retireDivided() }
        switch seat.phase {
        case .leased:
            guard let reply = seat.reply else {
                seats[serial]?.phase = .dead(end)
                return []
            }
            // The holder gives the seat back when it has heard.
            seats[serial]?.phase = .dead(end)
            seats[serial]?.reply = nil
            return [.reply(reply, .ended(end))]
        case .starting, .idle:
            idle.removeAll { $0 == serial }
            seats[serial] = nil
            // Killed by us for no fault of its own.
            if seat.sentence == .closed || seat.wasOfUse { return [] }
            return fail(
                CellLack("a process of ours ended before it was of use: \(end.text)"), now: now)
        case .dead: return []
        }
    }

    /// A process was of no use; after a few in a row everybody is told.
    mutating func fail(_ lack: CellLack, now: UInt64) -> [Call] {
        failures += 1
        guard failures < settings.failuresLimit else {
            self.lack = lack
            return dismissAll()
        }
        let wait = settings.backOffNanoseconds << UInt64(2 * (failures - 1))
        notBefore = now &+ wait
        return []
    }

    private mutating func dismissAll() -> [Call] {
        guard let refusal else { return [] }
        defer { waiters = [] }
        return waiters.map { .lease($0.continuation, .failure(refusal)) }
    }

    /// Kills what has run out of time; `used` says what the processors have worked for a cell.
    mutating func expire(at now: UInt64, used: (Cell) -> UInt64?) -> [Call] {
        var calls = seats.filter { $0.value.deadline <= now }.keys.compactMap {
            condemn($0, .timeout)
        }
        for (serial, seat) in seats where seat.look <= now && seat.sentence == nil {
            // One that is gone is heard of on its line.
            let left = used(seat.cell).map { seat.processorLimit - min($0, seat.processorLimit) }
            if left == 0 {
                calls += [condemn(serial, .drawnTooLong)].compactMap { $0 }
            } else {
                seats[serial]?.look = left.map { now &+ max($0, 1_000_000) } ?? .max
            }
        }
        return calls
    }

    /// Kills everything; from now on there is nothing to be had.
    mutating func close() -> [Call] {
        isClosed = true
        let calls = dismissAll()
        return calls + seats.keys.compactMap { condemn($0, .closed) }
    }

    /// The next moment at which there is something to do without anybody asking.
    func wakeUp(after now: UInt64) -> UInt64 {
        var next = seats.values.reduce(UInt64.max) { min($0, $1.deadline, $1.look) }
        if refusal == nil, shortage > 0 { next = min(next, max(notBefore, now)) }
        return next
    }

    /// The cells whose processes have not been waited for.
    var living: [Cell] {
        seats.values.compactMap { seat in
            if case .dead = seat.phase { nil } else { seat.cell }
        }
    }
}
