import Glibc
import Render

/// Which cells there are, who has them, and who waits: a state machine without a clock or a call
/// into the system but the signal that ends a process.
///
/// Everything that somebody must be told comes back as a `Call`, to be made once no lock is held.
struct CellRoster {
    enum Phase {
        case starting
        case idle
        /// Held by a task.
        case leased
        /// Held by a task that has not heard of the end yet.
        case dead(CellEnd)
    }

    struct Seat {
        let cell: Cell
        var phase: Phase
        /// The task that waits for a report.
        var reply: CheckedContinuation<CellReply, Never>?
        /// When the cell's time is over; it has all time while nobody waits for it.
        var deadline: UInt64 = .max
        /// What the processors may have worked for the process by then, since it began.
        var processorLimit: UInt64 = .max
        /// The first moment at which that can be so.
        var look: UInt64 = .max
        /// Why the process was killed, where we did it.
        var sentence: CellEnd?
        /// It had served; its end says nothing about those that will be started.
        var wasOfUse = false
    }

    struct Waiter {
        let ticket: Int
        let continuation: CheckedContinuation<Result<Cell, CellError>, Never>
    }

    /// A continuation and what it is resumed with.
    enum Call {
        case lease(CheckedContinuation<Result<Cell, CellError>, Never>, Result<Cell, CellError>)
        case reply(CheckedContinuation<CellReply, Never>, CellReply)

        func make() {
            switch self {
            case .lease(let continuation, let result): continuation.resume(returning: result)
            case .reply(let continuation, let reply): continuation.resume(returning: reply)
            }
        }
    }

    let settings: CellSettings
    var seats: [Int: Seat] = [:]
    var idle: [Int] = []
    var waiters: [Waiter] = []
    var canceledEarly: Set<Int> = []
    var nextTicket = 0
    var nextSerial = 0
    /// Processes in a row that were of no use.
    var failures = 0
    var notBefore: UInt64 = 0
    /// Why no process will be started any more.
    var lack: CellLack?
    var isClosed = false
    /// What the last cell that came up said to be in force.
    var confinement: Confinement?
    /// A picture took a divided process down, or one broke the rules: where its code lies, that of
    /// all others lies too, so that none of them is given another picture.
    var dividedAreKnown = false
    /// Started until now, those that took the place of others included.
    var startedCount = 0

    init(settings: CellSettings) { self.settings = settings }

    /// What ends every wait for a cell, once it is known.
    var refusal: CellError? {
        if isClosed { return .render(.stopped) }
        return lack.map { .unavailable($0) }
    }

    /// How many processes should be started now.
    func missing(at now: UInt64) -> Int {
        guard refusal == nil, now >= notBefore else { return 0 }
        return shortage
    }

    /// How many more processes there is work for.
    var shortage: Int {
        var (live, starting) = (0, 0)
        for seat in seats.values {
            switch seat.phase {
            case .starting:
                live += 1
                starting += 1
            case .idle, .leased: live += 1
            case .dead: break
            }
        }
        let wanted = max(waiters.count - starting, settings.early - live)
        return max(0, min(wanted, settings.count - live))
    }

    // MARK: Tasks

    mutating func ask(_ waiter: Waiter) -> Call? {
        if canceledEarly.contains(waiter.ticket) {
            return .lease(waiter.continuation, .failure(.render(.stopped)))
        }
        if let refusal { return .lease(waiter.continuation, .failure(refusal)) }
        waiters.append(waiter)
        return serve()
    }

    mutating func leave(_ ticket: Int) -> Call? {
        guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else {
            canceledEarly.insert(ticket)
            return nil
        }
        return .lease(waiters.remove(at: place).continuation, .failure(.render(.stopped)))
    }

    /// Gives the first who waits an idle cell; the one used last, whose memory is warm.
    private mutating func serve() -> Call? {
        guard !waiters.isEmpty, let serial = idle.popLast(), let seat = seats[serial] else {
            return nil
        }
        seats[serial]?.phase = .leased
        return .lease(waiters.removeFirst().continuation, .success(seat.cell))
    }

    /// The holder waits for the next report.
    mutating func expect(
        _ serial: Int, _ reply: CheckedContinuation<CellReply, Never>, _ patience: CellPatience
    ) -> Call? {
        guard let seat = seats[serial] else { return .reply(reply, .ended(.closed)) }
        if case .dead(let end) = seat.phase { return .reply(reply, .ended(end)) }
        if let sentence = seat.sentence { return .reply(reply, .ended(sentence)) }
        seats[serial]?.reply = reply
        seats[serial]?.deadline = patience.deadline
        seats[serial]?.processorLimit = patience.processorLimit
        seats[serial]?.look = patience.look
        return nil
    }

    /// The holder is done with the cell, which goes on unless it shall not.
    mutating func give(back serial: Int, keeps: Bool) -> Call? {
        guard let seat = seats[serial] else { return nil }
        if case .dead = seat.phase {
            seats[serial] = nil
            return nil
        }
        guard keeps, seat.sentence == nil, !(dividedAreKnown && seat.cell.isDivided) else {
            condemn(serial, .closed)
            // Nobody holds it any more; its end is nobody's news.
            seats[serial]?.phase = .starting
            seats[serial]?.wasOfUse = true
            return nil
        }
        failures = 0
        seats[serial]?.phase = .idle
        idle.append(serial)
        return serve()
    }

    /// Those that are divided end as soon as they have nothing to do; programs take their place.
    mutating func retireDivided() {
        dividedAreKnown = true
        for serial in idle where seats[serial]?.cell.isDivided == true {
            condemn(serial, .closed)
            seats[serial]?.phase = .starting
        }
        idle.removeAll { seats[$0]?.cell.isDivided == true }
    }

    /// Kills the process of a cell. Whoever waits for it hears at once.
    @discardableResult
    mutating func condemn(_ serial: Int, _ end: CellEnd) -> Call? {
        guard let seat = seats[serial] else { return nil }
        if case .dead = seat.phase { return nil }
        seats[serial]?.sentence = seat.sentence ?? end
        seats[serial]?.reply = nil
        seats[serial]?.look = .max
        seats[serial]?.deadline = .max
        // The process has not been waited for: its number is still its own.
        kill(seat.cell.process, SIGKILL)
        return seat.reply.map { .reply($0, .ended(end)) }
    }
}
