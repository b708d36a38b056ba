import CSandbox
import Glibc
import Render
import Synchronization
import System

/// Keeps the cells: one thread starts their processes, listens to all of them, and buries them.
///
/// The thread lives as long as the keeper, since the processes die with it.
final class CellKeeper: Sendable {
    let settings: CellSettings
    private let theme: [UInt8]
    private let bell: Int32
    private let watch: CellWatch
    private let roster: Mutex<CellPoolState>
    /// When the thread will look up by itself.
    private let wakeUp = Mutex<UInt64>(0)
    /// Where those who wait for reports go on.
    private let helped = Mutex<(any WorkDonor)?>(nil)

    /// The thread looks up this often, so that a far deadline needs no ringing.
    private static let patrolNanoseconds: UInt64 = 1_000_000_000
    /// How long a process may take to end after it was killed. The thread that waits is the one
    /// that watches all others; what takes longer is stuck in the system.
    private static let endMilliseconds: Int32 = 1_000
    /// The same for all of them at the end.
    static let buryMilliseconds: Int32 = 5_000

    init(settings: CellSettings, theme: [UInt8]) {
        self.settings = settings
        self.theme = theme
        bell = emb_cell_bell()
        watch = CellWatch(bell: bell)
        var state = CellPoolState(settings: settings)
        if !watch.isListening { state.lack = CellFault("epoll").lack }
        roster = Mutex(state)
    }

    deinit {
        watch.close()
        if bell >= 0 { Glibc.close(bell) }
    }

    /// What cannot be had is needed for everything else that is to come.
    func giveUp(_ lack: CellLack) {
        for call in roster.withLock({ $0.giveUp(lack) }) { call.make() }
    }

    var lack: CellLack? { roster.withLock { $0.lack } }
    var confinement: Confinement? { roster.withLock { $0.confinement } }
    var startedCount: Int { roster.withLock { $0.startedCount } }
    var waitingCount: Int { roster.withLock { $0.waiters.count } }
    var idleCount: Int { roster.withLock { $0.idle.count } }
    var alongCount: Int { roster.withLock { $0.alongCount } }
    var processes: [pid_t] { roster.withLock { $0.living.map(\.process) } }

    func help(with work: (any WorkDonor)?) {
        helped.withLock { $0 = work }
    }

    // MARK: Tasks

    /// Waits for a cell, which must be given back, or for another task to take the order along.
    func wait(for turn: CellTurn) async -> CellTurn.End {
        let (call, isShort) = roster.withLock { roster in
            let call = roster.ask(turn)
            return (call, call == nil && roster.shortage > 0)
        }
        call?.make()
        if isShort { ring() }
        return await turn.waiter.value { self.roster.withLock { $0.leave(turn) }?.make() }
    }

    /// So long the processors worked for each of some small orders; nil where that came to no end.
    func note(_ nanoseconds: UInt64?) {
        roster.withLock { $0.groupSize.note(nanoseconds) }
    }

    /// Sends a request and waits for the report on it. A task that is cancelled ends its cell.
    func exchange(_ request: CellRequest, with cell: Cell, _ patience: CellPatience) async
        -> CellEvent
    {
        let reply = CellPoolState.Reply()
        if let call = roster.withLock({ $0.expect(cell.serial, reply, patience) }) {
            call.make()
        } else {
            if wakeUp.withLock({ min(patience.deadline, patience.look) < $0 }) { ring() }
            if cell.send(request) == .refused {
                condemn(cell, .crashed("the worker accepts no messages"))
            }
        }
        return await reply.value { self.condemn(cell, .canceled) }
    }

    /// - Parameter isOdd: the cell broke the rules: what it drew for is the last that it met.
    func giveBack(_ cell: Cell, keeps: Bool, isOdd: Bool = false) {
        let call = roster.withLock { roster in
            if isOdd, cell.isDivided { roster.retireDivided() }
            return roster.give(back: cell.serial, keeps: keeps && !isOdd)
        }
        call?.make()
    }

    private func condemn(_ cell: Cell, _ end: CellEnd) {
        roster.withLock { $0.condemn(cell.serial, end) }?.make()
    }

    func close() {
        for call in roster.withLock({ $0.close() }) { call.make() }
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = unsafe write(bell, &one, 8)
    }

    // MARK: The thread

    func run() {
        var end = UInt64.max
        while true {
            let now = MonotonicClock.now
            for call in roster.withLock({ $0.expire(at: now) { $0.processorTime } }) { call.make() }
            for _ in 0..<roster.withLock({ $0.missing(at: now) }) { start() }
            let (isEmpty, next, isOver) = roster.withLock { roster in
                (!roster.hasLiving, roster.wakeUp(after: now), roster.isClosed)
            }
            if isOver, end == .max {
                end = now &+ UInt64(Self.buryMilliseconds) * 1_000_000
            }
            // A process that cannot be killed is stuck in the system, which will bury it.
            if isOver, isEmpty || now >= end { return }
            do throws(CellFault) {
                try wait(until: min(next, end, now &+ Self.patrolNanoseconds))
            } catch {
                return breakOff(error.lack)
            }
        }
    }

    /// Ends all workers, since a wait that failed would fail again.
    private func breakOff(_ lack: CellLack) {
        for call in roster.withLock({ $0.breakOff(lack) }) { call.make() }
        for cell in roster.withLock({ $0.living }) { bury(cell) }
    }

    private func start() {
        let serial = roster.withLock { roster in
            defer { roster.nextSerial += 1 }
            return roster.nextSerial
        }
        do throws(CellFault) {
            let cell = try Cell(serial: serial, settings: settings, theme: theme)
            guard watch.add(cell) else {
                let fault = CellFault("epoll_ctl")
                cell.abandon()
                throw fault
            }
            let deadline = MonotonicClock.now &+ settings.startNanoseconds
            roster.withLock { roster in
                roster.add(cell, startsUntil: deadline)
                if roster.isClosed { roster.condemn(serial, .closed) }
            }
        } catch {
            for call in roster.withLock({ $0.fail(error.lack, now: MonotonicClock.now) }) {
                call.make()
            }
        }
    }

    private func wait(until moment: UInt64) throws(CellFault) {
        wakeUp.withLock { $0 = moment }
        let now = MonotonicClock.now
        let milliseconds = moment > now ? (moment - now + 999_999) / 1_000_000 : 0
        let heard = try watch.wait(milliseconds: Int32(clamping: milliseconds))
        guard heard.isRung || !heard.serials.isEmpty else { return }
        // What reports bring about is done here, rather than by another thread that would have to
        // be woken for it.
        let work = helped.withLock { $0 }
        work?.helperComes()
        defer { work?.helperWorks() }
        if heard.isRung { try silence() }
        for serial in heard.serials {
            if let cell = roster.withLock({ $0.seats[serial]?.cell }) { attend(to: cell) }
        }
    }

    private func silence() throws(CellFault) {
        var count: UInt64 = 0
        guard unsafe read(bell, &count, 8) < 0, errno != EAGAIN, errno != EINTR else { return }
        throw CellFault("reading an eventfd")
    }

    private func attend(to cell: Cell) {
        switch cell.receive() {
        case .nothing: break
        case .report(let report):
            for call in roster.withLock({ $0.receive(report, from: cell.serial) }) { call.make() }
        case .end: bury(cell)
        }
    }

    private func bury(_ cell: Cell) {
        watch.remove(cell)
        // It may have closed the line and live on.
        cell.kill()
        cell.awaitEnd(Self.endMilliseconds)
        cell.noteEnd()
        let (calls, areKnown) = roster.withLock { roster in
            // Under this lock, so that nobody sends a signal to a number that is free.
            let end = CellEnd(waitStatus: cell.reap(0))
            let calls = roster.bury(cell.serial, end, now: MonotonicClock.now)
            return (calls, roster.dividedAreKnown)
        }
        for call in calls { call.make() }
        // From now on cells are programs.
        if areKnown { Prefork.close() }
    }
}
