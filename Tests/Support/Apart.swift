import Glibc
import Synchronization
import System

/// Runs work that waits for other programs on separate threads.
///
/// Swift runs all tasks on one thread per core. Tests that block these threads stop every other
/// test, including timers and deadlines.
package func apart<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
) async throws -> Value {
    try await withTaskExecutorPreference(waitingThreads) { try await work() }
}

private let waitingThreads = TestThreads("test-apart")

/// The threads of tests that take many short steps within a time limit. On Swift's threads and on
/// those of `apart`, each step waits for long steps of other tests.
package let stepThreads: any TaskExecutor = TestThreads("test-steps")

/// Threads of some tests: as many as Swift's own, so that few programs run at once.
private final class TestThreads: TaskExecutor {
    private let jobs = Mutex(Deque<UnownedJob>())
    private let bell = Semaphore()

    init(_ name: String) {
        for _ in 0..<max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            let isThere = Thread.start(name) { self.work() }
            precondition(isThere, "The system gives no thread for a test.")
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        bell.signal()
    }

    private func work() {
        // A program inherits the signal mask of the thread that starts it, and must receive all
        // signals.
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
