import Batch
import Console
import Flags
import Gauge
import Glibc
import Notation
import System
import Transport
import Worker

/// The entry point of the `emblem` tool. `main.swift` calls `begin()`, then `run()`.
package enum CommandLineProgram {
    /// Prepares the process while it has a single thread. In a worker process, runs the worker and
    /// never returns.
    package static func begin() {
        // Streams and signals come first, since every later step can fail and print a message.
        StandardStreams.prepare()
        EndingSignals.endWithCode()
        ProcessSettings.settleLanguage()
        if RawArguments.has(WorkerMain.word, at: 1) { WorkerMain.main() }
        let drawing = CommandTable.drawing { word, place in RawArguments.has(word, at: place + 1) }
        let resources = StartupResources(draws: drawing != .none)
        exitIfMissing(resources.missingSystemCall)
        fork(for: drawing)
        // The process is hidden from other processes of the user before it reads headers, passwords
        // and lists.
        ProcessPrivacy.hide()
        ProcessSettings.keepMemory()
        resources.reserve()
        exitIfMissing(resources.missingResource)
    }

    /// Exits with a message if a system call or resource is missing; does nothing for nil.
    private static func exitIfMissing(_ lack: StartupResources.Shortage?) {
        guard let lack else { return }
        MessageStream(program: CommandLineTool.tool.name)
            .line(lack.text, .error)
        exit(lack.exitCode)
    }

    /// Runs the command line and exits with its code.
    package static func run() async -> Never {
        exit(
            await CommandLineTool.run(
                arguments: RawArguments.bytes.dropFirst().map { FilePath(bytes: $0).text }))
    }

    // MARK: Workers forked in advance

    /// Forks the workers that the command probably needs, before the command line is parsed.
    /// Otherwise a parsed header or password would be in the memory of every worker. Environment
    /// and configuration file are not read. Later, a surplus worker is closed, and a missing worker
    /// is started.
    private static func fork(for drawing: CommandEntry.Drawing) {
        switch drawing {
        case .none, .here: break
        case _ where needsNoWorker: break
        case .inOneWorker: Prefork.prepare(count: 1)
        case .inWorkers: Prefork.prepare(count: workerCount, mayIdle: hasHistory)
        }
    }

    /// The number of workers to fork for a batch: as many as `--jobs` can use, or the cores.
    private static var workerCount: Int {
        guard let jobs = RawArguments.number(of: Options.jobs.flag.spellings) else {
            return min(WorkerSettings.count(jobs: MachineFacts.availableCores), Prefork.mostGuessed)
        }
        return min(WorkerSettings.count(jobs: min(jobs, workersLimit)), workersLimit)
    }

    /// The largest number of workers to fork. Each takes three descriptors of this process, whose
    /// number `RLIMIT_NOFILE` limits.
    private static var workersLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else {
            return Prefork.mostGuessed
        }
        return min(64, max(Prefork.mostGuessed, (Int(clamping: limit.rlim_cur) - 64) / 4))
    }

    /// Whether the output folder has the history of an earlier run, so that probably nothing is
    /// drawn.
    private static var hasHistory: Bool {
        RawArguments.folder(of: Options.folder.flag.spellings, has: RunHistory.name.text)
    }

    /// Whether an argument shows that no worker is needed: help, a dry run, or `--sandbox none`.
    private static var needsNoWorker: Bool {
        let words = ["--help", "-h"] + Options.dryRun.flag.spellings
        return (2..<max(2, RawArguments.count)).contains { index in
            words.contains { RawArguments.has($0, at: index) }
        } || RawArguments.has(Isolation.none.rawValue, as: Options.sandbox.flag.spellings)
    }
}
