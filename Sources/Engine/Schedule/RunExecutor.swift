import Synchronization
import System
import Worker

/// The few threads on which a run's tasks take turns while others render for them.
///
/// What is left to do for an item takes a fraction of what rendering takes, in small pieces that come
/// one by one. Spread over all cores each piece would wake a thread; here one thread takes them as they
/// come, and the next is woken only when several wait. The thread that hears the renderers helps: what
/// a report brings about begins at once.
package final class RunExecutor: TaskExecutor, WorkDonor, Sendable {
    private struct State {
        var jobs = Deque<UnownedJob>()
        var asleep = 0
        var awake = 0
        var isOver = false
    }

    /// Where the pieces are small.
    package static let usualPatience = 4

    /// So many pieces of work wait for each thread that is awake before another one is woken.
    private let patience: Int

    private let state = Mutex(State())
    /// Signalled once for each thread that shall wake up.
    private let bell = Semaphore()
    private let threads = Mutex<[Thread]>([])

    /// - Parameter patience: so many pieces of work wait for each thread that is awake before another
    ///   one is woken; none where a piece may take long.
    package init(threads count: Int, patience: Int = RunExecutor.usualPatience) {
        self.patience = patience
        for _ in 0..<max(1, count) where !grow() { break }
    }

    /// Adds a thread, in the place of one that is lost to a piece of work without end; false where
    /// the system gives none.
    @discardableResult
    package func grow() -> Bool {
        guard let thread = Thread("emblem-run", { self.work() }) else { return false }
        threads.withLock { $0.append(thread) }
        return true
    }

    /// Without a single thread there is nobody to do anything.
    package var isEmpty: Bool { threads.withLock { $0.isEmpty } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wakes = state.withLock { state in
            state.jobs.append(job)
            guard state.asleep > 0, state.jobs.count > patience * state.awake else {
                return false
            }
            state.asleep -= 1
            state.awake += 1
            return true
        }
        if wakes { bell.signal() }
    }

    /// Ends the threads once nothing waits, and waits for their end.
    package func close() {
        let sleepers = state.withLock { state in
            state.isOver = true
            defer { state.asleep = 0 }
            state.awake += state.asleep
            return state.asleep
        }
        for _ in 0..<sleepers { bell.signal() }
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    private func work() {
        state.withLock { $0.awake += 1 }
        while true {
            switch state.withLock({ Self.turn(&$0) }) {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .sleep: bell.wait()
            case .end: return
            }
        }
    }

    package func helperComes() {
        state.withLock { $0.awake += 1 }
    }

    package func helperWorks() {
        while let job = state.withLock({ Self.nextOrLeave(&$0) }) {
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private enum Turn {
        case job(UnownedJob)
        case sleep
        case end
    }

    private static func turn(_ state: inout State) -> Turn {
        if let job = nextOrLeave(&state) { return .job(job) }
        if state.isOver { return .end }
        state.asleep += 1
        return .sleep
    }

    /// Takes the first that waits; without one the thread no longer counts as awake, and whoever
    /// comes with work wakes another.
    private static func nextOrLeave(_ state: inout State) -> UnownedJob? {
        guard let job = state.jobs.popFirst() else {
            state.awake -= 1
            return nil
        }
        return job
    }
}
