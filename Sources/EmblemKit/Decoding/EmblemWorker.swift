import Synchronization
import Worker

/// The entry point that lets a program act as its own worker process.
///
/// ```swift
/// EmblemWorker.runIfAsked()
/// ```
///
/// Call it before anything else: before the program reads a secret, opens a file or starts a
/// thread. A worker inherits almost nothing of the program's environment and descriptors.
public enum EmblemWorker {
    /// Runs the worker and never returns, if the program was started as a worker. Otherwise records
    /// that this program can be started as one, and returns.
    public static func runIfAsked() {
        if RawArguments.has(WorkerMain.word, at: 1) { WorkerMain.main() }
        canServe.store(true, ordering: .releasing)
    }

    static let canServe = Atomic(false)
}
