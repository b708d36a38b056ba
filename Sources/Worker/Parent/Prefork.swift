import CSandbox
import Glibc
import Synchronization

/// Workers that are forked from this process in advance, while it is small.
///
/// Starting a program costs at least 19 ms of CPU time until its libraries are loaded. Instead this
/// process forks once; that first fork loads the drawing libraries and forks the other workers.
/// This is safe only at startup, while the process has a single thread and no secrets in memory.
/// Replacements and additional workers are started as programs.
package enum Prefork {
    /// The most workers to fork if the useful number is unknown. A spare costs 0.5 ms; a worker
    /// that is started as a program costs 19 ms.
    package static let mostGuessed = 16

    /// The workers that were forked in advance.
    private struct Available {
        /// The workers that are still available. The first one forks the others.
        var starts: [WorkerStart] = []
        /// Whether the first worker waits for a call, and has not forked the other workers yet.
        var isWaiting = false

        mutating func wake() {
            guard isWaiting else { return }
            isWaiting = false
            starts.first?.call()
        }
    }

    private static let available = Mutex(Available())
    /// The longest wait for the process id of a forked worker, in milliseconds.
    private static let forkWaitMilliseconds: Int32 = 5000

    /// Forks `count` workers. Must be called before anything else in the program. The workers die
    /// with the calling thread, or with this process if they were never taken.
    ///
    /// - Parameter mayIdle: Whether the run may draw nothing. The libraries are then loaded only
    ///   once a worker is taken.
    package static func prepare(count: Int, mayIdle: Bool = false) {
        // On failure there are fewer workers. A task that needs a worker later starts a program,
        // and reports the error if that fails, too.
        var starts: [WorkerStart] = []
        while starts.count < count, let start = try? WorkerStart() { starts.append(start) }
        WorkerStart.forkAll(&starts, awaitsCall: mayIdle)
        available.withLock { [starts] in
            $0 = Available(starts: starts, isWaiting: mayIdle && !starts.isEmpty)
        }
    }

    /// The process ids of the available workers, which are forked first if necessary.
    package static var processes: [pid_t] {
        var starts = available.withLock { available in
            available.wake()
            return available.starts
        }
        for index in starts.indices {
            _ = starts[index].awaitProcessID(milliseconds: forkWaitMilliseconds)
        }
        available.withLock { [starts] in $0.starts = starts }
        return starts.map(\.process).filter { $0 > 0 }
    }

    static var count: Int { available.withLock { $0.starts.count } }
    /// The number of available workers that may still have to be forked.
    static var unforkedCount: Int { available.withLock { $0.starts.count { $0.process == 0 } } }

    /// Takes the next worker in the order of their forks; the first fork, which forks the others,
    /// is last.
    static func take() -> WorkerStart? {
        let next = available.withLock { available in
            available.wake()
            return available.starts.count > 1
                ? available.starts.remove(at: 1) : available.starts.popLast()
        }
        guard var start = next else { return nil }
        if start.awaitProcessID(milliseconds: forkWaitMilliseconds) { return start }
        // If the first worker cannot fork this one, it cannot fork the other workers either.
        start.closeDescriptors()
        close()
        return nil
    }

    /// Ends the available workers.
    package static func close() {
        var starts = available.withLock { available in
            defer { available.starts = [] }
            return available.starts
        }
        // Workers are killed, because a stopped process would not notice that its socket is closed.
        // The first worker is killed first, so that it forks no others. Existing workers report
        // their process ids at once.
        for index in starts.indices
        where starts[index].awaitProcessID(milliseconds: forkWaitMilliseconds) {
            _ = emb_worker_kill(starts[index].process, starts[index].pidfd)
        }
        for start in starts {
            start.closeDescriptors()
            guard start.process > 0 else { continue }
            _ = emb_worker_reap(start.process, start.pidfd, WorkerKeeper.reapMilliseconds)
            if start.pidfd >= 0 { Glibc.close(start.pidfd) }
        }
    }
}
