import Cell
import Glibc
import Synchronization

/// The program that is started as a worker.
enum WorkerProgram {
    private static let variable = "EMBLEM_WORKER"
    private static let name = "emblem"

    /// Why there is none, in words.
    struct Lack: Error {
        let text: String
    }

    /// What the environment names, else the program itself, else the tool beside it.
    ///
    /// A tool from `PATH` may be of any release, and the folders of a server's `PATH` may be
    /// anybody's: whoever wants that one names it.
    static func find() throws(Lack) -> String {
        if let named {
            guard unsafe access(named, X_OK) == 0 else {
                throw Lack(text: "\(variable) names \(named), which cannot be started")
            }
            return named
        }
        if EmblemWorker.canServe.load(ordering: .acquiring) { return CellSettings.thisProgram }
        let own = ownPath
        let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
        let beside = folder + name
        // A program of that very name would begin its own work anew.
        if !folder.isEmpty, own != beside, unsafe access(String(beside), X_OK) == 0 {
            return String(beside)
        }
        throw Lack(
            text: "there is no worker: call EmblemWorker.runIfAsked() first in the program, put "
                + "\(name) beside it, or name one in \(variable)")
    }

    /// Whoever lends a program more rights than the caller has does not let him choose programs.
    private static var named: String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        guard let text = unsafe getenv(variable) else { return nil }
        let named = unsafe String(cString: text)
        return named.isEmpty ? nil : named
    }

    /// Where the program stands; empty where that is not to be known.
    static var ownPath: String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return "" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
