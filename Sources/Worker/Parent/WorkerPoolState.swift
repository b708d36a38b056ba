import Glibc
import Render
import Synchronization
import System

/// Which workers there are, who has them, and who waits: a state machine without a clock or a call
/// into the system but the signal that ends a process.
///
/// Everything that somebody must be told comes back as a `Call`, to be made once no lock is held.
struct WorkerPoolState {
    enum Phase {
        case starting
        case idle
        /// Held by a task.
        case leased
        /// Killed, and held by nobody: its end is nobody's news.
        case ending
        /// Held by a task that has not heard of the end yet.
        case dead(WorkerEnd)
    }

    struct Slot {
        let worker: WorkerProcess
        var phase: Phase
        /// The task that waits for a report.
        var reply: Reply?
        /// When the worker's time is over; it has all time while nobody waits for it.
        var deadline: UInt64 = .max
        /// What the processors may have worked for the process by then, since it began.
        var processorLimit: UInt64 = .max
        /// The first moment at which that can be so.
        var look: UInt64 = .max
        /// Why the process was killed, where we did it.
        var killReason: WorkerEnd?
        /// It came up; its end says nothing about those that will be started.
        var cameUp = false

        /// The process has not been waited for.
        var isLiving: Bool { if case .dead = phase { false } else { true } }
    }

    typealias Reply = Waiter<WorkerEvent>

    /// A waiter and what it is resumed with.
    enum Call {
        case turn(WorkerTurn, WorkerTurn.End)
        case reply(Reply, WorkerEvent)

        func make() {
            switch self {
            case .turn(let turn, let end): turn.waiter.resume(returning: end)
            case .reply(let waiter, let reply): waiter.resume(returning: reply)
            }
        }
    }

    let settings: WorkerSettings
    var slots: [Int: Slot] = [:]
    var idle: [Int] = []
    var waiters = Deque<WorkerTurn>()
    var groupSize = WorkerGroupSize()
    /// The orders that went along with another's until now.
    var alongCount = 0
    var nextSerial = 0
    /// Processes in a row that were of no use.
    var failures = 0
    var notBefore: UInt64 = 0
    /// Why no process will be started any more.
    var lack: WorkerLack?
    var isClosed = false
    /// What the last worker that came up said to be in force.
    var confinement: Confinement?
    /// A divided process came to its end over a picture, or broke the rules: where its code lies,
    /// that of all others lies too, so that none of them is given another picture.
    var forksAreRetired = false
    /// Started until now, those that took the place of others included.
    var startedCount = 0

    init(settings: WorkerSettings) { self.settings = settings }

    /// What ends every wait for a worker, once it is known.
    var refusal: OrderError? {
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
        for slot in slots.values {
            switch slot.phase {
            case .starting:
                live += 1
                starting += 1
            case .idle, .leased, .ending: live += 1
            case .dead: break
            }
        }
        let wanted = max(waiters.count - starting, settings.early - live)
        return max(0, min(wanted, settings.count - live))
    }

    /// No process will be started any more, and whoever waits for one hears why. Those that are at
    /// work come to their end.
    mutating func giveUp(_ lack: WorkerLack) -> [Call] {
        self.lack = self.lack ?? lack
        return dismissAll()
    }

    /// Kills every worker and ends every wait for one with `lack`.
    mutating func breakOff(_ lack: WorkerLack) -> [Call] {
        giveUp(lack) + slots.keys.compactMap { condemn($0, .crashed(lack.text)) }
    }

    // MARK: Tasks

    mutating func ask(_ turn: WorkerTurn) -> Call? {
        if let refusal { return .turn(turn, .refused(refusal)) }
        // A task that holds memory goes first, since others wait for that memory.
        if turn.isAdmitted { waiters.prepend(turn) } else { waiters.append(turn) }
        return serve()
    }

    /// Takes leave of the queue, or of a group, to which it makes no difference. Whoever was given a
    /// worker has it.
    mutating func leave(_ turn: WorkerTurn) -> Call? {
        let wasWaiting = waiters.removeFirst { $0 === turn } != nil
        guard wasWaiting || turn.isAlong.load(ordering: .relaxed) else { return nil }
        return .turn(turn, .refused(.render(.stopped)))
    }

    /// Gives the first who waits an idle worker, the one used last, whose memory is warm; and with it
    /// those behind him who may go along, so many that as much is left for the other workers.
    mutating func serve() -> Call? {
        guard !waiters.isEmpty, let serial = idle.popLast(), let slot = slots[serial] else {
            return nil
        }
        slots[serial]?.phase = .leased
        let share = (waiters.count + settings.count - 1) / settings.count
        guard let first = waiters.popFirst() else { return nil }
        var along: [WorkerTurn] = []
        var outcomeBytes = first.outcomeBytes
        while first.groups, along.count + 1 < min(share, groupSize.size),
            let next = waiters.first, next.mayGoAlong,
            outcomeBytes + next.outcomeBytes <= WorkerConversation.groupOutcomeBytes
        {
            waiters.popFirst()?.isAlong.store(true, ordering: .relaxed)
            along.append(next)
            outcomeBytes += next.outcomeBytes
        }
        alongCount += along.count
        return .turn(first, .worker(slot.worker, along: along))
    }

    /// The holder waits for the next report.
    mutating func expect(
        _ serial: Int, _ reply: Reply, _ patience: WorkerPatience
    ) -> Call? {
        guard let slot = slots[serial] else { return .reply(reply, .ended(.closed)) }
        if case .dead(let end) = slot.phase { return .reply(reply, .ended(end)) }
        if let killReason = slot.killReason { return .reply(reply, .ended(killReason)) }
        slots[serial]?.reply = reply
        slots[serial]?.deadline = patience.deadline
        slots[serial]?.processorLimit = patience.processorLimit
        slots[serial]?.look = patience.look
        return nil
    }

    /// The holder is done with the worker, which goes on unless it shall not.
    mutating func give(back serial: Int, keeps: Bool) -> Call? {
        guard let slot = slots[serial] else { return nil }
        if case .dead = slot.phase {
            slots[serial] = nil
            return nil
        }
        guard keeps, slot.killReason == nil, !(forksAreRetired && slot.worker.isForked) else {
            condemn(serial, .closed)
            slots[serial]?.phase = .ending
            return nil
        }
        failures = 0
        slots[serial]?.phase = .idle
        idle.append(serial)
        return serve()
    }

    /// Ends the forked workers as soon as they are idle; started programs replace them. Forks share
    /// their addresses, so an exploit that crashed one of them could use what it learned in the
    /// others. Starting all workers as programs would avoid this and cost 13 ms of CPU time each.
    mutating func retireForks() {
        forksAreRetired = true
        for serial in idle where slots[serial]?.worker.isForked == true {
            condemn(serial, .closed)
            slots[serial]?.phase = .ending
        }
        idle.removeAll { slots[$0]?.worker.isForked == true }
    }

    /// Kills the process of a worker. Whoever waits for it hears at once.
    @discardableResult
    mutating func condemn(_ serial: Int, _ end: WorkerEnd) -> Call? {
        guard let slot = slots[serial] else { return nil }
        if case .dead = slot.phase { return nil }
        slots[serial]?.killReason = slot.killReason ?? end
        slots[serial]?.reply = nil
        slots[serial]?.look = .max
        slots[serial]?.deadline = .max
        // It is waited for under the same lock that buries it, so that its number is still its own.
        slot.worker.kill()
        return slot.reply.map { .reply($0, .ended(end)) }
    }
}
