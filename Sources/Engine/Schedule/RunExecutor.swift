import Synchronization
import System
import Worker

/// A few threads that run the tasks of a run while worker processes render.
///
/// Compared with rendering, the work of a task is small and comes in short pieces. If it were
/// spread over all cores, each piece would wake a thread. Instead, one thread runs the pieces in
/// order, and another wakes only when several of them wait. The thread that receives the replies of
/// workers also helps, so that the work that follows a reply begins at once.
package final class RunExecutor: TaskExecutor, WorkDonor, Sendable {
    private struct State {
        var jobs = Deque<UnownedJob>()
        var asleep = 0
        var awake = 0
        var isOver = false
    }

    /// The default of `patience`, for short pieces of work.
    package static let usualPatience = 4

    /// Another thread is woken if more pieces of work than this wait for each awake thread.
    private let patience: Int

    private let state = Mutex(State())
    /// Signalled once for each thread to wake.
    private let bell = Semaphore()
    private let threads = Mutex<[Thread]>([])

    /// - Parameter patience: The number of pieces that may wait for each thread that is awake
    ///   before another one is woken; 0 if a piece may take long.
    package init(threads count: Int, patience: Int = RunExecutor.usualPatience) {
        self.patience = patience
        for _ in 0..<max(1, count) where !grow() { break }
    }

    /// Adds a thread, for example to replace a thread that is blocked permanently; returns false if
    /// the system cannot start it.
    @discardableResult
    package func grow() -> Bool {
        guard let thread = Thread("emblem-run", { self.work() }) else { return false }
        threads.withLock { $0.append(thread) }
        return true
    }

    /// Whether no thread could be started, so that no work would run.
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

    /// Runs the remaining work, and waits until all threads have ended.
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
            switch state.withLock({ Self.nextAction(&$0) }) {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .sleep: bell.wait()
            case .end: return
            }
        }
    }

    package func announceHelper() {
        state.withLock { $0.awake += 1 }
    }

    package func runHelper() {
        while let job = state.withLock({ Self.nextOrLeave(&$0) }) {
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private enum Action {
        case job(UnownedJob)
        case sleep
        case end
    }

    private static func nextAction(_ state: inout State) -> Action {
        if let job = nextOrLeave(&state) { return .job(job) }
        if state.isOver { return .end }
        state.asleep += 1
        return .sleep
    }

    /// Returns the first waiting piece of work. If there is none, the thread no longer counts as
    /// awake, so that the next piece wakes a thread.
    private static func nextOrLeave(_ state: inout State) -> UnownedJob? {
        guard let job = state.jobs.popFirst() else {
            state.awake -= 1
            return nil
        }
        return job
    }
}
