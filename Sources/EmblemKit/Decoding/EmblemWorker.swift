import Glibc
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

    /// Whether this program can be started as a worker, because it called ``runIfAsked()``.
    static let canServe = Atomic(false)
}

/// The program that runs as a worker process.
enum WorkerProgram {
    private static let variable = "EMBLEM_WORKER"
    private static let name = "emblem"

    struct SearchError: Error {
        let text: String
    }

    /// Returns the program named by the environment, or this program, or the tool in the same
    /// folder.
    ///
    /// `PATH` is not searched: a tool found there may have another version, and other users may
    /// control its folders. `EMBLEM_WORKER` can name such a tool.
    static func find() throws(SearchError) -> String {
        if let named {
            guard unsafe access(named, X_OK) == 0 else {
                throw SearchError(text: "\(variable) names \(named), which cannot be started")
            }
            return named
        }
        if EmblemWorker.canServe.load(ordering: .acquiring) { return WorkerSettings.thisProgram }
        let own = ownPath
        let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
        let tool = folder + name
        // A program that is itself named `emblem` is not a worker: starting it would repeat its
        // normal work.
        if !folder.isEmpty, own != tool, unsafe access(String(tool), X_OK) == 0 {
            return String(tool)
        }
        throw SearchError(
            text: "no worker program was found: call EmblemWorker.runIfAsked() first in the "
                + "program, put \(name) next to it, or set \(variable); "
                + "Decoding.Isolation.processIfPossible decodes without a worker")
    }

    /// The path in `EMBLEM_WORKER`, if it is set. A setuid or setgid program ignores the variable.
    private static var named: String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        guard let text = unsafe getenv(variable) else { return nil }
        let named = unsafe String(cString: text)
        return named.isEmpty ? nil : named
    }

    /// The path of this program; empty if it cannot be determined.
    static var ownPath: String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return "" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
