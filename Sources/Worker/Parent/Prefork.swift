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
    private struct Born {
        /// The workers that are still available. The first one forks the others.
        var starts: [WorkerStart] = []
        /// Whether the first one has forked none of the others yet, and waits for a call.
        var isWaiting = false

        mutating func wake() {
            guard isWaiting else { return }
            isWaiting = false
            starts.first?.call()
        }
    }

    private static let born = Mutex(Born())
    /// The longest wait for a worker that should exist, in milliseconds.
    private static let meetMilliseconds: Int32 = 5000

    /// Forks `count` workers. Must be called before anything else in the program. The workers die
    /// with the calling thread, or with this process if they were never taken.
    ///
    /// - Parameter mayIdle: Whether the run may draw nothing. The libraries are then loaded only
    ///   once a worker is taken.
    package static func prepare(count: Int, mayIdle: Bool = false) {
        // On failure there are fewer workers. A task that needs a worker later starts one, and then
        // gets the reason for a failure.
        var starts: [WorkerStart] = []
        while starts.count < count, let start = try? WorkerStart() { starts.append(start) }
        WorkerStart.divide(into: &starts, awaitsCall: mayIdle)
        born.withLock { [starts] in
            $0 = Born(starts: starts, isWaiting: mayIdle && !starts.isEmpty)
        }
    }

    /// The process ids of the available workers, which are forked first if necessary.
    package static var processes: [pid_t] {
        var starts = born.withLock { born in
            born.wake()
            return born.starts
        }
        for index in starts.indices {
            _ = starts[index].awaitNumber(milliseconds: meetMilliseconds)
        }
        born.withLock { [starts] in $0.starts = starts }
        return starts.map(\.process).filter { $0 > 0 }
    }

    static var count: Int { born.withLock { $0.starts.count } }
    /// The number of available workers that may still have to be forked.
    static var unbornCount: Int { born.withLock { $0.starts.count { $0.process == 0 } } }

    /// Takes the next worker in the order of their forks; the first fork, which forks the others,
    /// is last.
    static func take() -> WorkerStart? {
        let next = born.withLock { born in
            born.wake()
            return born.starts.count > 1 ? born.starts.remove(at: 1) : born.starts.popLast()
        }
        guard var start = next else { return nil }
        if start.awaitNumber(milliseconds: meetMilliseconds) { return start }
        // If the first one cannot fork this worker, it cannot fork the others.
        start.closeDescriptors()
        close()
        return nil
    }

    /// Ends the available workers.
    package static func close() {
        var starts = born.withLock { born in
            defer { born.starts = [] }
            return born.starts
        }
        // A stopped process would not notice that its socket is closed. The first one is killed
        // first, so that it forks no more; workers that exist report themselves at once.
        for index in starts.indices
        where starts[index].awaitNumber(milliseconds: meetMilliseconds) {
            _ = emb_worker_kill(starts[index].process, starts[index].handle)
        }
        for start in starts {
            start.closeDescriptors()
            guard start.process > 0 else { continue }
            _ = emb_worker_reap(start.process, start.handle, WorkerKeeper.reapMilliseconds)
            if start.handle >= 0 { Glibc.close(start.handle) }
        }
    }
}
