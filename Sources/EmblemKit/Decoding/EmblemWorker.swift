import Cell
import Synchronization

/// The other life of a program that uses this library: as a worker that decodes for it.
///
/// ```swift
/// EmblemWorker.runIfAsked()
/// ```
///
/// The call must be the first thing that the program does: before it reads a secret, opens a file or
/// starts a thread. A worker is started with next to nothing of the program's environment and
/// descriptors.
public enum EmblemWorker {
    /// Becomes a worker, and never comes back, where the program was started as one; otherwise
    /// remembers that the program can be, and returns.
    public static func runIfAsked() {
        if RawArguments.has(CellWorker.word, at: 1) { CellWorker.main() }
        canServe.store(true, ordering: .releasing)
    }

    /// The program itself can be started as a worker.
    static let canServe = Atomic(false)
}
