import CShims
import Gauge
import Glibc
import Notation
import Synchronization
import System
import Transport

/// Runs a case several times, after a run that fills the disk's cache and is discarded.
package struct BenchRunner: Sendable {
    private let bench: BenchCase
    private let rounds: Int
    private let folder: BenchFolder
    private let children: ChildRunner
    private let base: BaseRecord.Result?
    private let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - base: The record, which must have as many items.
    ///   - note: Receives a line about the current work, once a round.
    package init(
        _ bench: BenchCase, rounds: Int, folder: BenchFolder, children: ChildRunner,
        base: BaseRecord.Result?, note: @escaping @Sendable (String) -> Void
    ) {
        self.bench = bench
        self.rounds = rounds
        self.folder = folder
        self.children = children
        self.base = base
        self.note = note
    }

    package func run() throws(BenchError) -> [MeasuredRun] {
        var runs: [MeasuredRun] = []
        for round in 0...rounds {
            note(round == 0 ? "warming up" : "round \(round) of \(rounds)")
            let run = try measure()
            if round == 0 { continue }
            runs.append(run)
            guard runs[0].digest == run.digest else { throw .outputsDiffer }
        }
        return runs
    }

    private func measure() throws(BenchError) -> MeasuredRun {
        let output = folder.path("out")
        if !bench.isRerun { folder.remove("out") }
        let log = folder.path("log")
        let end = try children.run(["batch", "-o", output] + bench.words, output: log)
        // Exit code 1 means that an item has no output, which is the same in every run.
        guard end.exitCode == 0 || end.exitCode == 1 else {
            throw .runFailed(end.exitCode, lastWords(log), MeasuredRun.errors(folder: output))
        }
        let run = try MeasuredRun(end, folder: output)
        if let items = base?.items, items != run.items { throw .otherItems(run.items, base: items) }
        return run
    }

    private func lastWords(_ log: String) -> String {
        let bytes = (try? FileIntake.read(FilePath(log), bytesLimit: 1 << 20).bytes) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.suffix(3).joined(separator: "\n").replacing("emblem: error: ", with: "")
    }
}

/// The resources that one run of a program used.
package struct ProgramEnd: Hashable, Sendable {
    /// The exit code as a shell reports it: 128 plus the signal number for a killed process.
    package var exitCode: Int32
    package var seconds: Double
    package var userSeconds: Double
    package var systemSeconds: Double
    /// The peak memory of its largest process.
    package var peakResidentBytes: Int

    package init(
        exitCode: Int32 = 0, seconds: Double, userSeconds: Double, systemSeconds: Double,
        peakResidentBytes: Int
    ) {
        self.exitCode = exitCode
        self.seconds = seconds
        self.userSeconds = userSeconds
        self.systemSeconds = systemSeconds
        self.peakResidentBytes = peakResidentBytes
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

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks the current child to stop, and prevents the start of another one.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            if let child = state.child { kill(child, SIGTERM) }
        }
    }

    /// Runs the tool with these arguments; its output goes to the file `output`.
    package func run(_ words: [String], output: String) throws(BenchError) -> ProgramEnd {
        let descriptor = unsafe open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .noScratch("\(output): \(Self.reason(errno))") }
        defer { close(descriptor) }
        let start = MonotonicClock.now
        let child = try begin(["emblem"] + words, descriptor)
        _ = emb_program_await(child)
        let nanoseconds = MonotonicClock.elapsed(since: start)
        state.withLock { $0.child = nil }
        var end = emb_program_end()
        let code = unsafe emb_program_collect(child, &end)
        guard code == 0 else { throw .notStarted(Self.reason(code)) }
        guard !isStopped else { throw .stopped }
        return ProgramEnd(
            exitCode: end.code, seconds: Double(nanoseconds) / 1e9,
            userSeconds: end.user_seconds, systemSeconds: end.system_seconds,
            peakResidentBytes: end.peak_kilobytes &* 1024)
    }

    /// Starts the child under the lock, so that a concurrent stop finds it.
    private func begin(_ words: [String], _ descriptor: Int32) throws(BenchError) -> pid_t {
        let text = words.flatMap { Array($0.utf8CString) }
        return try state.withLock { (state) throws(BenchError) in
            guard !state.isStopped else { throw .stopped }
            var child: pid_t = 0
            let code = unsafe emb_program_start(
                "/proc/self/exe", text, Int32(words.count), descriptor, &child)
            guard code == 0 else { throw .notStarted(Self.reason(code)) }
            state.child = child
            return child
        }
    }

    private static func reason(_ code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
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

package enum BenchError: Error, Hashable, Sendable {
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
}

extension BenchError: CustomStringConvertible {
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
