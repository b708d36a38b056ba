import Glibc
import Render
import Synchronization
import System

/// The workers, their holders and the queue of waiting tasks, as a state machine. It reads no
/// clock, and its only system call is the signal that kills a process.
///
/// Every notification is returned as a `Call`, which the caller makes after it has released the
/// lock.
struct WorkerPoolState {
    enum Phase {
        case starting
        case idle
        case leased
        /// Killed while idle; no task is waiting for it.
        case ending
        /// Ended while a task holds it; the task does not know of the end yet.
        case dead(WorkerEnd)
    }

    struct Slot {
        let worker: WorkerProcess
        var phase: Phase
        var reply: Reply?
        /// The moment at which the worker is killed; unlimited while no task waits for it.
        var deadline: UInt64 = .max
        /// The CPU time of the process, since its start, at which it is killed.
        var processorLimit: UInt64 = .max
        /// The CPU time at which the pacer decides whether the work may continue.
        var quickLimit: UInt64 = .max
        var pacer: Permits.Pacer?
        /// The time of the next check of the CPU time.
        var nextCheck: UInt64 = .max
        var killReason: WorkerEnd?
        /// Whether the worker started successfully, so that its end says nothing about later
        /// starts.
        var hasStarted = false

        /// Whether the process was not reaped yet.
        var isLiving: Bool { if case .dead = phase { false } else { true } }
    }

    typealias Reply = Waiter<WorkerEvent>

    /// A waiting task and the value that resumes it.
    enum Call {
        case task(WaitingTask, WaitingTask.End)
        case reply(Reply, WorkerEvent)

        func make() {
            switch self {
            case .task(let task, let end): task.waiter.resume(returning: end)
            case .reply(let waiter, let reply): waiter.resume(returning: reply)
            }
        }
    }

    let settings: WorkerSettings
    var slots: [Int: Slot] = [:]
    /// The serials of the idle workers; the worker that was used last comes last.
    var idle: [Int] = []
    var waiters = Deque<WaitingTask>()
    var groupSize = WorkerGroupSize()
    /// The number of orders that were sent in the group of another task.
    var groupedOrderCount = 0
    var nextSerial = 0
    /// The number of processes in a row that never became usable.
    var failures = 0
    /// The earliest time at which another process is started.
    var notBefore: UInt64 = 0
    /// The reason why no further process is started.
    var lack: WorkerLack?
    var isClosed = false
    /// The confinement that the most recent worker reported.
    var confinement: Confinement?
    /// Whether a forked worker ended while it worked on an image, or broke the protocol. All forks
    /// share its addresses, so none of them receives another image.
    var forksAreRetired = false
    var startedCount = 0

    init(settings: WorkerSettings) { self.settings = settings }

    /// The error that ends every wait for a worker, if there is one.
    var refusal: OrderError? {
        if isClosed { return .render(.stopped) }
        return lack.map { .unavailable($0) }
    }

    /// Returns the number of processes to start now.
    func missing(at now: UInt64) -> Int {
        guard refusal == nil, now >= notBefore else { return 0 }
        return shortage
    }

    /// The number of processes that are missing for the waiting tasks.
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

    /// Starts no more processes and ends every wait for one with `lack`. Workers that hold an order
    /// finish it.
    mutating func giveUp(_ lack: WorkerLack) -> [Call] {
        self.lack = self.lack ?? lack
        return dismissAll()
    }

    /// Kills every worker and ends every wait for one with `lack`.
    mutating func breakOff(_ lack: WorkerLack) -> [Call] {
        giveUp(lack) + slots.keys.compactMap { condemn($0, .crashed(lack.text)) }
    }

    // MARK: Tasks

    /// Adds a task to the queue, unless no worker can be started.
    mutating func ask(_ task: WaitingTask) -> Call? {
        if let refusal { return .task(task, .refused(refusal)) }
        // A task that holds memory goes first, since others wait for that memory.
        if task.isAdmitted { waiters.prepend(task) } else { waiters.append(task) }
        return serve()
    }

    /// Removes a cancelled task from the queue or from its group. The other tasks of the group are
    /// not affected. A task that already has a worker keeps it.
    mutating func leave(_ task: WaitingTask) -> Call? {
        let wasWaiting = waiters.removeFirst { $0 === task } != nil
        guard wasWaiting || task.isInGroup.load(ordering: .relaxed) else { return nil }
        return .task(task, .refused(.render(.stopped)))
    }

    /// Gives the first waiting task the idle worker that was used last, because its memory is
    /// probably cached. The worker also receives the orders of the next tasks that may be grouped,
    /// but at most its share of all waiting orders, so that the other workers can get as many.
    mutating func serve() -> Call? {
        guard !waiters.isEmpty, let serial = idle.popLast(), let slot = slots[serial] else {
            return nil
        }
        slots[serial]?.phase = .leased
        let share = (waiters.count + settings.count - 1) / settings.count
        guard let first = waiters.popFirst() else { return nil }
        var others: [WaitingTask] = []
        var outcomeBytes = first.outcomeBytes
        while first.groups, others.count + 1 < min(share, groupSize.size),
            let next = waiters.first, next.mayJoinGroup,
            outcomeBytes + next.outcomeBytes <= WorkerConversation.groupOutcomeBytes
        {
            waiters.popFirst()?.isInGroup.store(true, ordering: .relaxed)
            others.append(next)
            outcomeBytes += next.outcomeBytes
        }
        groupedOrderCount += others.count
        return .task(first, .worker(slot.worker, others: others))
    }

    /// Notes that a task waits for a report of the worker. If the worker has ended already, returns
    /// the call that tells the task.
    mutating func expect(
        _ serial: Int, _ reply: Reply, _ patience: WorkerPatience
    ) -> Call? {
        guard let slot = slots[serial] else { return .reply(reply, .ended(.closed)) }
        if case .dead(let end) = slot.phase { return .reply(reply, .ended(end)) }
        if let killReason = slot.killReason { return .reply(reply, .ended(killReason)) }
        slots[serial]?.reply = reply
        slots[serial]?.deadline = patience.deadline
        slots[serial]?.processorLimit = patience.processorLimit
        slots[serial]?.quickLimit = patience.quickLimit
        slots[serial]?.pacer = patience.pacer
        slots[serial]?.nextCheck = patience.nextCheck
        return nil
    }

    /// Takes a worker back. It is reused if `keeps` is true.
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

    /// Ends the forked workers as soon as they are idle; workers that are started as programs
    /// replace them. Forks share their addresses, so an exploit that crashed one of them could use
    /// what it learned in the others. Starting all workers as programs would avoid this and cost 13
    /// ms of CPU time each.
    mutating func retireForks() {
        forksAreRetired = true
        for serial in idle where slots[serial]?.worker.isForked == true {
            condemn(serial, .closed)
            slots[serial]?.phase = .ending
        }
        idle.removeAll { slots[$0]?.worker.isForked == true }
    }

    /// Kills the process of a worker and informs the task that waits for it.
    @discardableResult
    mutating func condemn(_ serial: Int, _ end: WorkerEnd) -> Call? {
        guard let slot = slots[serial] else { return nil }
        if case .dead = slot.phase { return nil }
        slots[serial]?.killReason = slot.killReason ?? end
        slots[serial]?.reply = nil
        slots[serial]?.nextCheck = .max
        slots[serial]?.deadline = .max
        // Reaping happens under the same lock, so the process id still belongs to this worker.
        slot.worker.kill()
        return slot.reply.map { .reply($0, .ended(end)) }
    }
}
