import CSandbox
import Glibc
import Render
import Synchronization
import System

/// Keeps the worker processes, at most one for each slot of the queue: one thread starts them,
/// watches all of them, and reaps them.
///
/// The thread lives as long as the keeper, since the processes die with it. The holder of a slot
/// asks for its worker (`worker(in:)`), exchanges messages with it, and gives it back.
final class WorkerKeeper: Sendable {
    let settings: WorkerSettings
    let groupSize = Mutex(WorkerGroupSize())
    private let queue: OrderQueue
    private let theme: [UInt8]
    /// The eventfd that wakes the thread.
    private let event: Int32
    private let watch: WorkerWatch
    private let state: Mutex<WorkerStates>
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

    init(settings: WorkerSettings, queue: OrderQueue, theme: [UInt8]) {
        self.settings = settings
        self.queue = queue
        self.theme = theme
        event = emb_worker_eventfd()
        watch = WorkerWatch(event: event)
        var state = WorkerStates(settings: settings)
        if !watch.isListening { state.lack = WorkerFault("epoll").lack }
        self.state = Mutex(state)
    }

    deinit {
        watch.close()
        if event >= 0 { Glibc.close(event) }
    }

    /// Starts no more workers: a resource that is missing now would be missing later too.
    func giveUp(_ lack: WorkerLack) { change { $0.giveUp(lack) } }

    var lack: WorkerLack? { state.withLock { $0.lack } }
    var confinement: Confinement? { state.withLock { $0.confinement } }
    var startedCount: Int { state.withLock { $0.startedCount } }
    var idleCount: Int {
        state.withLock { $0.slots.count { $0.isReady && !$0.isLeased && $0.killReason == nil } }
    }
    func isReady(in slot: Int) -> Bool {
        state.withLock { $0.slots[slot].isReady && $0.slots[slot].killReason == nil }
    }
    var processes: [pid_t] { state.withLock { $0.slots.compactMap { $0.worker?.process } } }

    func help(with work: (any WorkDonor)?) { helped.withLock { $0 = work } }

    /// Changes the state under its lock, and makes the calls that follow from the change.
    private func change(_ body: (inout WorkerStates) -> [WorkerStates.Call]) {
        for call in state.withLock({ body(&$0) }) { call.make() }
    }

    // MARK: The holder of a slot

    /// Returns the worker of a slot, which is started first if necessary. The caller holds the slot
    /// and must give the worker back.
    func worker(in slot: Int) async throws(OrderError) -> WorkerProcess {
        let starter = WorkerStates.Starter()
        let known = state.withLock { $0.lease(slot, starter) }
        if let known { return try known.get() }
        wake()
        return try await starter.value {
            self.change { state in
                guard state.slots[slot].starter === starter else { return [] }
                state.slots[slot].starter = nil
                state.slots[slot].isLeased = false
                return [.start(starter, .failure(.render(.stopped)))]
            }
        }.get()
    }

    /// Sends a request and waits for its report. If the task is cancelled, its worker is killed.
    func exchange(
        _ request: WorkerRequest, with worker: WorkerProcess, _ limits: WorkerLimits
    ) async -> WorkerEvent {
        let reply = WorkerStates.Reply()
        if let end = state.withLock({ $0.expect(reply, of: worker, limits) }) {
            return .ended(end)
        }
        if wakeUp.withLock({ min(limits.deadline, limits.nextCheck) < $0 }) { wake() }
        if worker.send(request) == .refused {
            condemn(worker, .crashed("the worker accepts no messages"))
        }
        return await reply.value { self.condemn(worker, .canceled) }
    }

    /// - Parameters:
    ///   - keeps: Whether the worker can receive another order.
    ///   - isUnusable: The worker broke the protocol or lacks a library, and so do the workers that
    ///     were forked with it.
    func giveBack(_ worker: WorkerProcess, keeps: Bool, isUnusable: Bool = false) {
        change { state in
            state.slots[worker.slot].isLeased = false
            if isUnusable, worker.isForked { state.retireForks() }
            if keeps, !isUnusable, !(state.forksAreRetired && worker.isForked) {
                state.failures = 0
                return []
            }
            return state.condemn(worker, .closed)
        }
    }

    /// Kills a worker; the task that waits for its report gets `end`.
    private func condemn(_ worker: WorkerProcess, _ end: WorkerEnd) {
        change { $0.condemn(worker, end) }
    }

    func close() {
        change { $0.close() }
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
            expire(at: now)
            for slot in state.withLock({ $0.missing(at: now) }) { start(in: slot) }
            let (isEmpty, next, isOver) = state.withLock { state in
                (
                    state.slots.allSatisfy { $0.worker == nil }, state.wakeUp(after: now),
                    state.isClosed
                )
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
        change { $0.giveUp(lack) + $0.condemnAll(.crashed(lack.text)) }
        for worker in state.withLock({ $0.slots.compactMap(\.worker) }) { remove(worker) }
    }

    /// Kills workers that are out of time, and drawings that must leave their slot to a quicker
    /// order.
    private func expire(at now: UInt64) {
        var slow: [(WorkerProcess, WorkerStates.Reply)] = []
        change { $0.expire(at: now, &slow) }
        for (worker, reply) in slow {
            let pace = queue.pace(of: worker.slot)
            change { $0.settle(worker, reply, pace) }
        }
    }

    private func start(in slot: Int) {
        do throws(WorkerFault) {
            let adopts = settings.adopts && state.withLock { !$0.forksAreRetired }
            let worker = try WorkerProcess(
                slot: slot, settings: settings, adopts: adopts, theme: theme)
            guard watch.add(worker) else {
                let fault = WorkerFault("epoll_ctl")
                worker.killAndReap()
                throw fault
            }
            change { $0.add(worker, startsUntil: MonotonicClock.now &+ settings.startNanoseconds) }
        } catch {
            change { $0.fail(error.lack, now: MonotonicClock.now) }
        }
    }

    private func wait(until moment: UInt64) throws(WorkerFault) {
        wakeUp.withLock { $0 = moment }
        let now = MonotonicClock.now
        let milliseconds = moment > now ? (moment - now + 999_999) / 1_000_000 : 0
        let heard = try watch.wait(milliseconds: Int32(clamping: milliseconds))
        guard heard.isWoken || !heard.slots.isEmpty else { return }
        // Continuations of reports run on this thread, which saves waking another one.
        let work = helped.withLock { $0 }
        work?.announceHelper()
        defer { work?.runHelper() }
        if heard.isWoken { try drainEvent() }
        for slot in heard.slots {
            if let worker = state.withLock({ $0.slots[slot].worker }) { handleInput(of: worker) }
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
        case .report(let report): change { $0.receive(report, from: worker) }
        case .end: remove(worker)
        }
    }

    private func remove(_ worker: WorkerProcess) {
        watch.remove(worker)
        // A worker can close its socket and stay alive.
        worker.kill()
        worker.awaitEnd(Self.endMilliseconds)
        worker.noteEnd()
        change { state in
            // Reaps under this lock, so that no signal is sent to a process id that is free.
            let end = WorkerEnd(waitStatus: worker.reap(0))
            return state.recordEnd(of: worker, end, now: MonotonicClock.now)
        }
        if state.withLock({ $0.forksAreRetired }) { Prefork.close() }
    }
}

/// The workers of all slots, as a state machine. It reads no clock but the CPU time of workers, and
/// its only other system call is the signal that kills a process.
///
/// Every notification is returned as a `Call`, which the caller makes after it has released the
/// lock.
struct WorkerStates {
    typealias Starter = Waiter<Result<WorkerProcess, OrderError>>
    typealias Reply = Waiter<WorkerEvent>

    struct Slot {
        var worker: WorkerProcess?
        /// Whether the worker has reported that it is ready.
        var isReady = false
        var killReason: WorkerEnd?
        /// The moment at which the worker is killed; unlimited while no task waits for it.
        var deadline = UInt64.max
        var limits: WorkerLimits?
        /// The time of the next check of the CPU time.
        var nextCheck = UInt64.max
        /// The end of the worker that was in the slot before.
        var lastEnd: WorkerEnd?
        /// Whether a task holds the slot's worker, or waits for it.
        var isLeased = false
        var starter: Starter?
        var reply: Reply?
    }

    /// The value that resumes a waiting task.
    enum Call {
        case start(Starter, Result<WorkerProcess, OrderError>)
        case reply(Reply, WorkerEvent)

        func make() {
            switch self {
            case .start(let starter, let result): starter.resume(returning: result)
            case .reply(let reply, let event): reply.resume(returning: event)
            }
        }
    }

    let settings: WorkerSettings
    var slots: [Slot]
    /// The number of processes in a row that never became usable.
    var failures = 0
    /// The earliest time at which another process is started.
    private var notBefore: UInt64 = 0
    /// The reason why no further process is started.
    var lack: WorkerLack?
    private(set) var isClosed = false
    /// The confinement that the most recent worker reported.
    private(set) var confinement: Confinement?
    /// Whether a forked worker ended while it worked on an image, or broke the protocol. All forks
    /// share its addresses, so none of them receives another image.
    private(set) var forksAreRetired = false
    private(set) var startedCount = 0

    /// The time until a slow drawing is checked again.
    private static let paceNanoseconds: UInt64 = 10_000_000

    init(settings: WorkerSettings) {
        self.settings = settings
        slots = [Slot](repeating: Slot(), count: settings.count)
    }

    /// The error that ends every wait for a worker, if there is one.
    private var refusal: OrderError? {
        if isClosed { return .render(.stopped) }
        return lack.map { .unavailable($0) }
    }

    /// Returns the slots in which a process is to be started now.
    func missing(at now: UInt64) -> [Int] { now >= notBefore ? missing : [] }

    private var missing: [Int] {
        guard refusal == nil else { return [] }
        return slots.indices.filter {
            slots[$0].worker == nil && ($0 < settings.early || slots[$0].starter != nil)
        }
    }

    /// The next moment at which the thread has work to do, even if no event wakes it.
    func wakeUp(after now: UInt64) -> UInt64 {
        let next = slots.reduce(UInt64.max) { min($0, $1.deadline, $1.nextCheck) }
        return missing.isEmpty ? next : min(next, max(notBefore, now))
    }

    // MARK: The holder of a slot

    /// Returns the worker of a slot or the reason why there will be none; nil if it has to start.
    mutating func lease(_ index: Int, _ starter: Starter) -> Result<WorkerProcess, OrderError>? {
        if let refusal { return .failure(refusal) }
        slots[index].isLeased = true
        if let worker = slots[index].worker, slots[index].isReady, slots[index].killReason == nil {
            return .success(worker)
        }
        slots[index].starter = starter
        return nil
    }

    /// Notes that a task waits for a report of the worker; returns its end if it has ended.
    mutating func expect(
        _ reply: Reply, of worker: WorkerProcess, _ limits: WorkerLimits
    ) -> WorkerEnd? {
        let slot = slots[worker.slot]
        guard slot.worker === worker else { return slot.lastEnd ?? .closed }
        if let killReason = slot.killReason { return killReason }
        slots[worker.slot].reply = reply
        slots[worker.slot].limits = limits
        slots[worker.slot].deadline = limits.deadline
        slots[worker.slot].nextCheck = limits.nextCheck
        return nil
    }

    // MARK: The end of workers

    /// Kills the process of a worker and informs the task that waits for its report.
    @discardableResult
    mutating func condemn(_ worker: WorkerProcess, _ end: WorkerEnd) -> [Call] {
        let slot = slots[worker.slot]
        guard slot.worker === worker, slot.killReason == nil else { return [] }
        slots[worker.slot].killReason = end
        slots[worker.slot].deadline = .max
        slots[worker.slot].nextCheck = .max
        slots[worker.slot].reply = nil
        // Reaping happens under the same lock, so the process id still belongs to this worker.
        slot.worker?.kill()
        if slot.isReady { noteEnd(end, of: worker) }
        return slot.reply.map { [.reply($0, .ended(end))] } ?? []
    }

    mutating func condemnAll(_ end: WorkerEnd) -> [Call] {
        slots.compactMap(\.worker).flatMap { condemn($0, end) }
    }

    /// Retires all forks if one of them ends while a task holds it. The cause does not matter: an
    /// exploit may have probed the addresses of this fork, and must get no second attempt.
    private mutating func noteEnd(_ end: WorkerEnd, of worker: WorkerProcess) {
        guard slots[worker.slot].isLeased, worker.isForked, end != .closed, end != .canceled
        else { return }
        retireForks()
    }

    /// Ends the forked workers as soon as they are idle; workers that are started as programs
    /// replace them. Forks share their addresses, so an exploit that crashed one of them could use
    /// what it learned in the others. Starting all workers as programs would avoid this and cost 13
    /// ms of CPU time each.
    mutating func retireForks() {
        forksAreRetired = true
        for slot in slots where !slot.isLeased {
            if let worker = slot.worker, worker.isForked { condemn(worker, .closed) }
        }
    }

    /// Starts no more processes and ends every wait for one. Workers that hold an order finish it.
    mutating func giveUp(_ lack: WorkerLack) -> [Call] {
        self.lack = self.lack ?? lack
        return dismissAll()
    }

    /// Kills every worker; later requests are refused.
    mutating func close() -> [Call] {
        isClosed = true
        return dismissAll() + condemnAll(.closed)
    }

    private mutating func dismissAll() -> [Call] {
        guard let refusal else { return [] }
        var calls: [Call] = []
        for index in slots.indices {
            guard let starter = slots[index].starter else { continue }
            slots[index].starter = nil
            slots[index].isLeased = false
            calls.append(.start(starter, .failure(refusal)))
        }
        return calls
    }

    // MARK: The thread

    mutating func add(_ worker: WorkerProcess, startsUntil deadline: UInt64) -> [Call] {
        startedCount += 1
        slots[worker.slot].worker = worker
        slots[worker.slot].deadline = deadline
        return isClosed ? condemn(worker, .closed) : []
    }

    /// Handles a report. A report that no task waits for breaks the protocol.
    mutating func receive(_ report: WorkerReply, from worker: WorkerProcess) -> [Call] {
        let slot = slots[worker.slot]
        guard slot.worker === worker, slot.killReason == nil else { return [] }
        switch (slot.isReady, report) {
        case (false, .ready(let confinement)):
            self.confinement = confinement
            if let lack = settings.isolation.lack(in: confinement) {
                // Any other worker would fail in the same way.
                return giveUp(lack) + condemnAll(.closed)
            }
            slots[worker.slot].deadline = .max
            slots[worker.slot].isReady = true
            slots[worker.slot].starter = nil
            return slot.starter.map { [.start($0, .success(worker))] } ?? []
        case (false, .foreign):
            return giveUp(WorkerLack("the worker program is from another release"))
                + condemnAll(.closed)
        case (true, .room), (true, .done):
            guard let reply = slot.reply else { break }
            slots[worker.slot].reply = nil
            slots[worker.slot].deadline = .max
            slots[worker.slot].nextCheck = .max
            return [.reply(reply, .report(report))]
        default: break
        }
        return condemn(worker, .crashed("an unexpected reply of a worker"))
    }

    mutating func recordEnd(of worker: WorkerProcess, _ end: WorkerEnd, now: UInt64) -> [Call] {
        let slot = slots[worker.slot]
        guard slot.worker === worker else { return [] }
        let end = slot.killReason ?? end
        slots[worker.slot] = Slot(
            lastEnd: end, isLeased: slot.isLeased, starter: slot.starter)
        guard slot.isReady else {
            guard slot.killReason != .closed else { return [] }
            return fail(WorkerLack("a worker ended during its start: \(end.text)"), now: now)
        }
        noteEnd(end, of: worker)
        // The kernel kills processes if memory is short. A replacement may work, but only after a
        // wait: otherwise every kill would start a new process at once.
        if !slot.isLeased, slot.killReason == nil {
            notBefore = max(notBefore, now &+ settings.backOffNanoseconds)
        }
        return slot.reply.map { [.reply($0, .ended(end))] } ?? []
    }

    /// Counts a process that never became usable. After `failuresLimit` such processes in a row,
    /// every waiting task fails with the reason.
    mutating func fail(_ lack: WorkerLack, now: UInt64) -> [Call] {
        failures += 1
        guard failures < settings.failuresLimit else { return giveUp(lack) }
        notBefore = now &+ settings.backOffNanoseconds << UInt64(2 * (failures - 1))
        return []
    }

    /// Kills workers that are out of time, and appends to `slow` those whose drawing has become
    /// slow.
    mutating func expire(at now: UInt64, _ slow: inout [(WorkerProcess, Reply)]) -> [Call] {
        var calls: [Call] = []
        for slot in slots {
            guard let worker = slot.worker, slot.killReason == nil else { continue }
            if slot.deadline <= now {
                calls += condemn(worker, .timeout)
            } else if slot.nextCheck <= now, let limits = slot.limits {
                // The socket reports a worker that has ended.
                guard let used = worker.processorTime else {
                    slots[worker.slot].nextCheck = .max
                    continue
                }
                guard used < limits.processorLimit else {
                    calls += condemn(worker, .drawnTooLong)
                    continue
                }
                var left = limits.processorLimit - used
                if used < limits.quickLimit {
                    left = min(left, limits.quickLimit - used)
                } else if let reply = slot.reply {
                    slow.append((worker, reply))
                    left = min(left, Self.paceNanoseconds)
                }
                slots[worker.slot].nextCheck = now &+ max(left, 1_000_000)
            }
        }
        return calls
    }

    /// Carries out the decision about a slow drawing, unless it has ended meanwhile.
    mutating func settle(
        _ worker: WorkerProcess, _ reply: Reply, _ pace: OrderQueue.Pace
    ) -> [Call] {
        guard slots[worker.slot].reply === reply else { return [] }
        switch pace {
        case .undecided: return []
        case .continues:
            slots[worker.slot].limits?.quickLimit = .max
            return []
        case .yields: return condemn(worker, .preempted)
        }
    }
}

/// Work in short pieces that the keeper's thread can help with.
package protocol WorkDonor: Sendable {
    /// Announces that the calling thread resumes tasks and then calls `runHelper`, so that no other
    /// thread is woken for the work of those tasks.
    func announceHelper()
    /// Runs the queued work on the calling thread until none is left.
    func runHelper()
}
