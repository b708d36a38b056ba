import Render
import System

extension WorkerPoolState {
    mutating func add(_ worker: WorkerProcess, startsUntil deadline: UInt64) {
        startedCount += 1
        slots[worker.serial] = Slot(worker: worker, phase: .starting, deadline: deadline)
    }

    /// Handles a report. A report that no task waits for breaks the protocol.
    mutating func receive(_ report: WorkerReply, from serial: Int) -> [Call] {
        guard let slot = slots[serial], slot.killReason == nil else { return [] }
        switch (slot.phase, report) {
        case (.starting, .ready(let confinement)):
            self.confinement = confinement
            if let lack = settings.isolation.lack(in: confinement) {
                // Any other worker would fail in the same way.
                return giveUp(lack) + slots.keys.compactMap { condemn($0, .closed) }
            }
            slots[serial]?.deadline = .max
            slots[serial]?.phase = .idle
            slots[serial]?.hasStarted = true
            idle.append(serial)
            return serveAll()
        case (.starting, .foreign):
            let lack = WorkerLack(
                "the worker program is from another release")
            return giveUp(lack) + slots.keys.compactMap { condemn($0, .closed) }
        case (.leased, .room), (.leased, .done):
            guard let reply = slot.reply else { break }
            slots[serial]?.reply = nil
            slots[serial]?.deadline = .max
            slots[serial]?.nextCheck = .max
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

    mutating func recordEnd(of serial: Int, _ end: WorkerEnd, now: UInt64) -> [Call] {
        guard let slot = slots[serial] else { return [] }
        let end = slot.killReason ?? end
        switch slot.phase {
        case .leased:
            // The cause of the end does not matter: an exploit may have probed the addresses of
            // this fork, and must get no second attempt.
            if slot.worker.isForked, end != .closed, end != .canceled { retireForks() }
            guard let reply = slot.reply else {
                slots[serial]?.phase = .dead(end)
                return []
            }
            // The task that holds the worker gives it back after it has received the end.
            slots[serial]?.phase = .dead(end)
            slots[serial]?.reply = nil
            return [.reply(reply, .ended(end))]
        case .ending:
            slots[serial] = nil
            return []
        case .starting, .idle:
            idle.removeAll { $0 == serial }
            slots[serial] = nil
            if slot.killReason == .closed { return [] }
            guard !slot.hasStarted else {
                // The kernel kills processes if memory is short. A replacement may work, but only
                // after a wait: otherwise every kill would start a new process at once.
                notBefore = max(notBefore, now &+ settings.backOffNanoseconds)
                return []
            }
            return fail(
                WorkerLack("a worker ended during its start: \(end.text)"), now: now)
        case .dead: return []
        }
    }

    /// Counts a process that never became usable. After `failuresLimit` such processes in a row,
    /// every waiting task fails with the reason.
    mutating func fail(_ lack: WorkerLack, now: UInt64) -> [Call] {
        failures += 1
        guard failures < settings.failuresLimit else { return giveUp(lack) }
        let wait = settings.backOffNanoseconds << UInt64(2 * (failures - 1))
        notBefore = now &+ wait
        return []
    }

    /// Ends every wait for a worker, if none can be started.
    mutating func dismissAll() -> [Call] {
        guard let refusal else { return [] }
        return waiters.removeAll().map { .task($0, .refused(refusal)) }
    }

    /// The tasks to notify after a check of the time limits, and the workers whose pacer decides.
    struct Expiry {
        var calls: [Call] = []
        var paced: [(serial: Int, reply: Reply, pacer: Permits.Pacer)] = []
    }

    /// The time until `Permits.Pacer` is asked again whether slow work may continue.
    private static let paceNanoseconds: UInt64 = 10_000_000

    /// Kills workers that are out of time; `used` returns the CPU time of a worker.
    mutating func expire(at now: UInt64, used: (WorkerProcess) -> UInt64?) -> Expiry {
        var expiry = Expiry()
        expiry.calls = slots.filter { $0.value.deadline <= now }.keys.compactMap {
            condemn($0, .timeout)
        }
        for (serial, slot) in slots where slot.nextCheck <= now && slot.killReason == nil {
            // The socket reports a worker that has ended.
            guard let used = used(slot.worker) else {
                slots[serial]?.nextCheck = .max
                continue
            }
            guard used < slot.processorLimit else {
                expiry.calls += [condemn(serial, .drawnTooLong)].compactMap { $0 }
                continue
            }
            var left = slot.processorLimit - used
            if let pacer = slot.pacer, let reply = slot.reply {
                if used >= slot.quickLimit {
                    expiry.paced.append((serial, reply, pacer))
                    left = min(left, Self.paceNanoseconds)
                } else {
                    left = min(left, slot.quickLimit - used)
                }
            }
            slots[serial]?.nextCheck = now &+ max(left, 1_000_000)
        }
        return expiry
    }

    /// Carries out the decision of a pacer, unless the work has ended meanwhile.
    mutating func settle(_ serial: Int, _ reply: Reply, _ pace: PermitsState.Pace) -> Call? {
        guard let slot = slots[serial], slot.reply === reply else { return nil }
        switch pace {
        case .undecided: return nil
        case .settled:
            slots[serial]?.pacer = nil
            return nil
        case .yields: return condemn(serial, .preempted)
        }
    }

    /// Kills every worker; later requests are refused.
    mutating func close() -> [Call] {
        isClosed = true
        let calls = dismissAll()
        return calls + slots.keys.compactMap { condemn($0, .closed) }
    }

    /// The next moment at which the thread has work to do, even if no event wakes it.
    func wakeUp(after now: UInt64) -> UInt64 {
        var next = slots.values.reduce(UInt64.max) { min($0, $1.deadline, $1.nextCheck) }
        if refusal == nil, shortage > 0 { next = min(next, max(notBefore, now)) }
        return next
    }

    /// The workers whose processes were not reaped yet.
    var living: [WorkerProcess] {
        slots.values.compactMap { $0.isLiving ? $0.worker : nil }
    }

    var hasLiving: Bool { slots.values.contains { $0.isLiving } }
}
