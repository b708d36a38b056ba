import Glibc
import Synchronization
import System

/// Runs work that waits for other programs on threads of its own.
///
/// Swift runs all tasks on as many threads as there are cores. As many tests that wait there for a
/// program stop every other test, and with them the timers and deadlines that those rely on.
package func apart<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
) async throws -> Value {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await work() }
}

/// The threads of tests that wait. Their number is that of Swift's own, so that no more programs
/// run at once than without them.
private final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads()

    private let jobs = Mutex(Deque<UnownedJob>())
    private let bell = Semaphore()

    private init() {
        for _ in 0..<max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            let isThere = Thread.start("test-apart") { self.work() }
            precondition(isThere, "The system gives no thread for a test.")
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        bell.signal()
    }

    private func work() {
        // A program inherits the mask of the thread that starts it, and must hear all signals.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        while true {
            bell.wait()
            guard let job = jobs.withLock({ $0.popFirst() }) else { continue }
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
