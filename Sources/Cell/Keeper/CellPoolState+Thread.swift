import Render
import System

/// What the keeper's thread does with the roster.
extension CellPoolState {
    mutating func add(_ cell: Cell, startsUntil deadline: UInt64) {
        startedCount += 1
        seats[cell.serial] = Slot(cell: cell, phase: .starting, deadline: deadline)
    }

    /// A report came in. Any that nobody waits for breaks the rules.
    mutating func receive(_ report: CellReply, from serial: Int) -> [Call] {
        guard let seat = seats[serial], seat.killReason == nil else { return [] }
        switch (seat.phase, report) {
        case (.starting, .ready(let confinement)):
            self.confinement = confinement
            if let lack = settings.isolation.lack(in: confinement) {
                // No other would fare better.
                return giveUp(lack) + seats.keys.compactMap { condemn($0, .closed) }
            }
            seats[serial]?.deadline = .max
            seats[serial]?.phase = .idle
            seats[serial]?.cameUp = true
            idle.append(serial)
            return serveAll()
        case (.starting, .foreign):
            let lack = CellLack(
                "the worker program is from another release")
            return giveUp(lack) + seats.keys.compactMap { condemn($0, .closed) }
        case (.leased, .room), (.leased, .done):
            guard let reply = seat.reply else { break }
            seats[serial]?.reply = nil
            seats[serial]?.deadline = .max
            seats[serial]?.look = .max
            return [.reply(reply, .report(report))]
        default: break
        }
        return [condemn(serial, .crashed("an unexpected reply of a worker"))].compactMap { $0 }
    }

    private mutating func serveAll() -> [Call] {
        var calls: [Call] = []
        while let call = serve() { calls.append(call) }
        return calls
    }

    /// The process of a cell has ended and was waited for.
    mutating func bury(_ serial: Int, _ end: CellEnd, now: UInt64) -> [Call] {
        guard let seat = seats[serial] else { return [] }
        let end = seat.killReason ?? end
        switch seat.phase {
        case .leased:
            // Whatever it looked like: a picture may have felt its way, and shall be the last.
            if seat.cell.isDivided, end != .closed, end != .canceled { retireDivided() }
            guard let reply = seat.reply else {
                seats[serial]?.phase = .dead(end)
                return []
            }
            // The holder gives the seat back when it has heard.
            seats[serial]?.phase = .dead(end)
            seats[serial]?.reply = nil
            return [.reply(reply, .ended(end))]
        case .ending:
            seats[serial] = nil
            return []
        case .starting, .idle:
            idle.removeAll { $0 == serial }
            seats[serial] = nil
            if seat.killReason == .closed { return [] }
            guard !seat.cameUp else {
                // Killed by somebody, as the system does where memory is short. The next one may do
                // its work, yet not at once: what kills the idle would have a new one every moment.
                notBefore = max(notBefore, now &+ settings.backOffNanoseconds)
                return []
            }
            return fail(
                CellLack("a worker ended during its start: \(end.text)"), now: now)
        case .dead: return []
        }
    }

    /// A process was of no use; after a few in a row everybody is told.
    mutating func fail(_ lack: CellLack, now: UInt64) -> [Call] {
        failures += 1
        guard failures < settings.failuresLimit else { return giveUp(lack) }
        let wait = settings.backOffNanoseconds << UInt64(2 * (failures - 1))
        notBefore = now &+ wait
        return []
    }

    mutating func dismissAll() -> [Call] {
        guard let refusal else { return [] }
        return waiters.removeAll().map { .turn($0, .refused(refusal)) }
    }

    /// Kills what has run out of time; `used` says what the processors have worked for a cell.
    mutating func expire(at now: UInt64, used: (Cell) -> UInt64?) -> [Call] {
        var calls = seats.filter { $0.value.deadline <= now }.keys.compactMap {
            condemn($0, .timeout)
        }
        for (serial, seat) in seats where seat.look <= now && seat.killReason == nil {
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

    /// The cells whose processes have not been waited for, and whether there are any.
    var living: [Cell] {
        seats.values.compactMap { $0.isLiving ? $0.cell : nil }
    }

    var hasLiving: Bool { seats.values.contains { $0.isLiving } }
}
