import CSandbox
import Glibc
import Render
import Synchronization
import System

/// Keeps the workers: one thread starts their processes, watches all of them, and reaps them.
///
/// The thread lives as long as the keeper, since the processes die with it.
final class WorkerKeeper: Sendable {
    let settings: WorkerSettings
    private let theme: [UInt8]
    /// The eventfd that wakes the thread.
    private let event: Int32
    private let watch: WorkerWatch
    private let table: Mutex<WorkerPoolState>
    /// The time at which the thread wakes up without an event.
    private let wakeUp = Mutex<UInt64>(0)
    /// The work that the thread helps with while tasks wait for reports.
    private let helped = Mutex<(any WorkDonor)?>(nil)

    /// The longest time between two checks of all limits. A later deadline does not have to wake
    /// the thread.
    private static let patrolNanoseconds: UInt64 = 1_000_000_000
    /// The longest wait for a killed process to end. The waiting thread also watches all other
    /// workers; a process that takes longer is stuck in the kernel.
    private static let endMilliseconds: Int32 = 1_000
    /// The longest wait for all processes together when the keeper closes.
    static let reapMilliseconds: Int32 = 5_000

    init(settings: WorkerSettings, theme: [UInt8]) {
        self.settings = settings
        self.theme = theme
        event = emb_worker_eventfd()
        watch = WorkerWatch(event: event)
        var state = WorkerPoolState(settings: settings)
        if !watch.isListening { state.lack = WorkerFault("epoll").lack }
        table = Mutex(state)
    }

    deinit {
        watch.close()
        if event >= 0 { Glibc.close(event) }
    }

    /// Starts no more workers: a resource that is missing now would be missing later too.
    func giveUp(_ lack: WorkerLack) {
        for call in table.withLock({ $0.giveUp(lack) }) { call.make() }
    }

    var lack: WorkerLack? { table.withLock { $0.lack } }
    var confinement: Confinement? { table.withLock { $0.confinement } }
    var startedCount: Int { table.withLock { $0.startedCount } }
    var waitingCount: Int { table.withLock { $0.waiters.count } }
    var idleCount: Int { table.withLock { $0.idle.count } }
    var groupedOrderCount: Int { table.withLock { $0.groupedOrderCount } }
    var processes: [pid_t] { table.withLock { $0.living.map(\.process) } }

    func help(with work: (any WorkDonor)?) {
        helped.withLock { $0 = work }
    }

    // MARK: Tasks

    /// Waits until the task has a worker, or until another task has sent its order in a group. The
    /// caller must give the worker back.
    func wait(for task: WaitingTask) async -> WaitingTask.End {
        let (call, isShort) = table.withLock { table in
            let call = table.ask(task)
            return (call, call == nil && table.shortage > 0)
        }
        call?.make()
        if isShort { wake() }
        return await task.waiter.value { self.table.withLock { $0.leave(task) }?.make() }
    }

    /// Notes the mean CPU time of the orders in a small group; nil if the group did not finish.
    func note(_ nanoseconds: UInt64?) {
        table.withLock { $0.groupSize.note(nanoseconds) }
    }

    /// Sends a request and waits for its report. If the task is cancelled, its worker is killed.
    func exchange(_ request: WorkerRequest, with worker: WorkerProcess, _ patience: WorkerPatience)
        async
        -> WorkerEvent
    {
        let reply = WorkerPoolState.Reply()
        if let call = table.withLock({ $0.expect(worker.serial, reply, patience) }) {
            call.make()
        } else {
            if wakeUp.withLock({ min(patience.deadline, patience.nextCheck) < $0 }) { wake() }
            if worker.send(request) == .refused {
                condemn(worker, .crashed("the worker accepts no messages"))
            }
        }
        return await reply.value { self.condemn(worker, .canceled) }
    }

    /// - Parameter isUnusable: The worker broke the protocol, so it receives no further image.
    func giveBack(_ worker: WorkerProcess, keeps: Bool, isUnusable: Bool = false) {
        let call = table.withLock { table in
            if isUnusable, worker.isForked { table.retireForks() }
            return table.give(back: worker.serial, keeps: keeps && !isUnusable)
        }
        call?.make()
    }

    /// Kills a worker; the task that waits for its report gets `end`.
    private func condemn(_ worker: WorkerProcess, _ end: WorkerEnd) {
        table.withLock { $0.condemn(worker.serial, end) }?.make()
    }

    func close() {
        for call in table.withLock({ $0.close() }) { call.make() }
        wake()
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(event, &one, 8)
    }

    // MARK: The thread

    /// Watches the workers until the keeper is closed and every process is reaped.
    func run() {
        var end = UInt64.max
        while true {
            let now = MonotonicClock.now
            let expiry = table.withLock { $0.expire(at: now) { $0.processorTime } }
            for call in expiry.calls { call.make() }
            for (serial, reply, pacer) in expiry.paced {
                let pace = pacer.decide()
                table.withLock { $0.settle(serial, reply, pace) }?.make()
            }
            for _ in 0..<table.withLock({ $0.missing(at: now) }) { start() }
            let (isEmpty, next, isOver) = table.withLock { table in
                (!table.hasLiving, table.wakeUp(after: now), table.isClosed)
            }
            if isOver, end == .max {
                end = now &+ UInt64(Self.reapMilliseconds) * 1_000_000
            }
            // A process that cannot be killed is stuck in the kernel, which reaps it later.
            if isOver, isEmpty || now >= end { return }
            do throws(WorkerFault) {
                try wait(until: min(next, end, now &+ Self.patrolNanoseconds))
            } catch {
                return breakOff(error.lack)
            }
        }
    }

    /// Ends all workers, since a wait that failed once would fail again.
    private func breakOff(_ lack: WorkerLack) {
        for call in table.withLock({ $0.breakOff(lack) }) { call.make() }
        for worker in table.withLock({ $0.living }) { remove(worker) }
    }

    private func start() {
        let serial = table.withLock { table in
            defer { table.nextSerial += 1 }
            return table.nextSerial
        }
        do throws(WorkerFault) {
            let worker = try WorkerProcess(serial: serial, settings: settings, theme: theme)
            guard watch.add(worker) else {
                let fault = WorkerFault("epoll_ctl")
                worker.killAndReap()
                throw fault
            }
            let deadline = MonotonicClock.now &+ settings.startNanoseconds
            table.withLock { table in
                table.add(worker, startsUntil: deadline)
                if table.isClosed { table.condemn(serial, .closed) }
            }
        } catch {
            for call in table.withLock({ $0.fail(error.lack, now: MonotonicClock.now) }) {
                call.make()
            }
        }
    }

    private func wait(until moment: UInt64) throws(WorkerFault) {
        wakeUp.withLock { $0 = moment }
        let now = MonotonicClock.now
        let milliseconds = moment > now ? (moment - now + 999_999) / 1_000_000 : 0
        let heard = try watch.wait(milliseconds: Int32(clamping: milliseconds))
        guard heard.isWoken || !heard.serials.isEmpty else { return }
        // Continuations of reports run on this thread, which saves waking another one.
        let work = helped.withLock { $0 }
        work?.announceHelper()
        defer { work?.runHelper() }
        if heard.isWoken { try drainEvent() }
        for serial in heard.serials {
            if let worker = table.withLock({ $0.slots[serial]?.worker }) { handleInput(of: worker) }
        }
    }

    private func drainEvent() throws(WorkerFault) {
        var count: UInt64 = 0
        guard unsafe read(event, &count, 8) < 0, errno != EAGAIN, errno != EINTR else { return }
        throw WorkerFault("reading an eventfd")
    }

    /// Handles a message of a worker, or the end of its socket.
    private func handleInput(of worker: WorkerProcess) {
        switch worker.receive() {
        case .noMessage: break
        case .report(let report):
            for call in table.withLock({ $0.receive(report, from: worker.serial) }) { call.make() }
        case .end: remove(worker)
        }
    }

    private func remove(_ worker: WorkerProcess) {
        watch.remove(worker)
        // A worker can close its socket and stay alive.
        worker.kill()
        worker.awaitEnd(Self.endMilliseconds)
        worker.noteEnd()
        let (calls, areKnown) = table.withLock { table in
            // Reaps under this lock, so that no signal is sent to a process id that is free.
            let end = WorkerEnd(waitStatus: worker.reap(0))
            let calls = table.recordEnd(of: worker.serial, end, now: MonotonicClock.now)
            return (calls, table.forksAreRetired)
        }
        for call in calls { call.make() }
        if areKnown { Prefork.close() }
    }
}
