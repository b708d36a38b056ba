import CShims
import Gauge
import Glibc
import Notation
import Synchronization
import System
import Transport

/// A temporary folder for one measurement; its deinit removes it with its contents.
package final class BenchFolder: Sendable {
    private let path: String

    package init(in parent: String) throws(BenchError) {
        var template = Array("\(parent)/emblem-bench-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard isMade else { throw .noScratch("\(parent): \(Errno(errno))") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { unsafe emb_remove_tree(path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func makeFolder(_ name: String) throws(BenchError) {
        guard unsafe mkdir(path(name), 0o755) == 0 else {
            throw .noScratch("\(path(name)): \(Errno(errno))")
        }
    }

    /// Removes a subfolder, if it exists.
    func remove(_ name: String) { unsafe emb_remove_tree(path(name)) }
}

/// One command to measure.
package struct BenchCase: Sendable {
    /// The parameters that identify this case, here and in a base record.
    package let parameters: [String: String]
    /// The arguments after `emblem batch`, without the output folder.
    package let words: [String]
    /// The whole command as a person would type it, without secrets.
    package let shown: String
    /// Whether runs over the outputs of the first one are measured.
    let isRerun: Bool

    package init(
        parameters: [String: String], words: [String], shown: String, isRerun: Bool = false
    ) {
        self.parameters = parameters
        self.words = words
        self.shown = shown
        self.isRerun = isRerun
    }
}

/// Runs this program as a child process, one at a time, and can be stopped.
package final class ChildRunner: Sendable {
    private struct State {
        var child: pid_t?
        var isStopped = false
    }

    private let state = Mutex(State())

    package init() {}

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks the current child to stop, and prevents the start of another one.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            if let child = state.child { kill(child, SIGTERM) }
        }
    }

    /// Runs a case several times, after a run that fills the disk's cache and is discarded.
    ///
    /// - Parameters:
    ///   - base: The record, which must have as many items.
    ///   - note: Receives a line about the current work, once a round.
    package func measure(
        _ bench: BenchCase, rounds: Int, in folder: BenchFolder, base: BaseRecord.Result?,
        note: (String) -> Void
    ) throws(BenchError) -> [MeasuredRun] {
        var runs: [MeasuredRun] = []
        for round in 0...rounds {
            note(round == 0 ? "warming up" : "round \(round) of \(rounds)")
            if !bench.isRerun { folder.remove("out") }
            let run = try measure(bench, folder)
            if let items = base?.items, items != run.items {
                throw .otherItems(run.items, base: items)
            }
            if round == 0 { continue }
            runs.append(run)
            guard runs[0].digest == run.digest else { throw .outputsDiffer }
        }
        return runs
    }

    private func measure(
        _ bench: BenchCase, _ folder: BenchFolder
    ) throws(BenchError) -> MeasuredRun {
        let (output, log) = (folder.path("out"), folder.path("log"))
        let start = MonotonicClock.now
        let child = try begin(["emblem", "batch", "-o", output] + bench.words, log)
        _ = emb_program_await(child)
        let seconds = Double(MonotonicClock.elapsed(since: start)) / 1e9
        state.withLock { $0.child = nil }
        var end = emb_program_end()
        let code = unsafe emb_program_collect(child, &end)
        guard code == 0 else { throw .notStarted("\(Errno(code))") }
        guard !isStopped else { throw .stopped }
        // Exit code 1 means that an item has no output, which is the same in every run.
        guard end.code == 0 || end.code == 1 else {
            throw .runFailed(end.code, lastWords(log), MeasuredRun.errors(folder: output))
        }
        return try MeasuredRun(end, seconds: seconds, folder: output)
    }

    /// Starts the child under the lock, so that a concurrent stop finds it. Its output goes to the
    /// file `log`.
    private func begin(_ words: [String], _ log: String) throws(BenchError) -> pid_t {
        let descriptor = unsafe open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .noScratch("\(log): \(Errno(errno))") }
        defer { close(descriptor) }
        let text = words.flatMap { Array($0.utf8CString) }
        return try state.withLock { (state) throws(BenchError) in
            guard !state.isStopped else { throw .stopped }
            var child: pid_t = 0
            let code = unsafe emb_program_start(
                "/proc/self/exe", text, Int32(words.count), descriptor, &child)
            guard code == 0 else { throw .notStarted("\(Errno(code))") }
            state.child = child
            return child
        }
    }

    private func lastWords(_ log: String) -> String {
        let bytes = (try? FileIntake.read(FilePath(log), bytesLimit: 1 << 20).bytes) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.suffix(3).joined(separator: "\n").replacing("emblem: error: ", with: "")
    }
}

package enum BenchError: Error, Sendable, CustomStringConvertible {
    case stopped
    /// The temporary folder or a file in it cannot be written; the text names it and the reason.
    case noScratch(String)
    /// The tool could not be started; the text says why.
    case notStarted(String)
    /// A measured run ended with an error: the exit code, the end of its messages, and the classes
    /// of its failures.
    case runFailed(Int32, String, String)
    case noRecord(String)
    /// Two runs of the same work wrote different bytes.
    case outputsDiffer
    /// The run has another number of items than the base.
    case otherItems(Int, base: Int)

    /// The exit code of the command; the caller handles signals.
    package var exitCode: Int32 {
        switch self {
        case .stopped: 130
        case .noScratch: 73
        case .notStarted, .outputsDiffer: 1
        case .runFailed(let code, _, _): code
        case .otherItems: 65
        case .noRecord: 74
        }
    }

    package var description: String {
        switch self {
        case .stopped: "stopped"
        case .noScratch(let what):
            "cannot create the temporary folder: \(what); set TMPDIR"
        case .notStarted(let why): "cannot start a measured run: \(why)"
        case .runFailed(let code, let text, let classes):
            (text.isEmpty ? "a measured run ended with exit code \(code)" : text)
                + (classes.isEmpty ? "" : "; its failures: \(classes)")
        case .noRecord(let why): "a measured run wrote no record: \(why)"
        case .outputsDiffer:
            "the outputs differ from those of the earlier rounds; check whether a source changed"
        case .otherItems(let items, let base):
            "the base has \(Counted(base, "item")) and this run \(items); measure a new base"
        }
    }
}
