import Batch
import Console
import Flags
import Gauge
import Glibc
import Notation
import System
import Transport
import Worker

package enum CommandLineProgram {
    /// Prepares the process while it has a single thread; in a worker, never returns.
    package static func begin() {
        // Even the preparation can exceed limits of the system.
        StandardStreams.prepare()
        EndingSignals.endWithCode()
        ProcessLanguage.settle()
        if RawArguments.has(WorkerMain.word, at: 1) { WorkerMain.main() }
        let drawing = CommandTable.drawing { word, place in RawArguments.has(word, at: place + 1) }
        let footing = Footing(draws: drawing != .none)
        stand(on: footing.lackOfCalls)
        fork(for: drawing)
        // From here on the process reads headers, passwords and lists.
        ProcessPrivacy.hide()
        ProcessMemory.keepForReuse()
        footing.reserve()
        stand(on: footing.lackOfRoom)
    }

    /// Ends the process with a message if a resource is missing.
    private static func stand(on lack: Footing.Lack?) {
        guard let lack else { return }
        MessageStream(program: CommandLineTool.tool.name)
            .line(lack.text, .error)
        exit(lack.exitCode)
    }

    package static func run() async -> Never {
        exit(
            await CommandLineTool.run(
                arguments: RawArguments.bytes.dropFirst().map { FilePath(bytes: $0).text }))
    }

    // MARK: Workers forked in advance

    /// Forks the workers that the command probably needs, before the command line is parsed: a
    /// parsed header or password would be in the memory of every worker. Environment and
    /// configuration are not read. A surplus worker is closed later, and a missing one is started
    /// later.
    private static func fork(for drawing: CommandEntry.Drawing) {
        switch drawing {
        case .none, .here: break
        case _ where staysAlone: break
        case .inOneWorker: Prefork.prepare(count: 1)
        case .inWorkers: Prefork.prepare(count: count, mayIdle: continuesSet)
        }
    }

    private static var count: Int {
        guard let jobs = RawArguments.number(of: Options.jobs.flag.spellings) else {
            return min(WorkerSettings.count(jobs: MachineFacts.availableCores), Prefork.mostGuessed)
        }
        return min(WorkerSettings.count(jobs: min(jobs, most)), most)
    }

    /// The most workers for many jobs. Each takes three descriptors of this process.
    private static var most: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else {
            return Prefork.mostGuessed
        }
        return min(64, max(Prefork.mostGuessed, (Int(clamping: limit.rlim_cur) - 64) / 4))
    }

    private static var continuesSet: Bool {
        RawArguments.folder(of: Options.folder.flag.spellings, has: RunHistory.name.text)
    }

    /// Returns whether an argument means that no image is decoded, or none in a worker.
    private static var staysAlone: Bool {
        let words = ["--help", "-h"] + Options.dryRun.flag.spellings
        return (2..<max(2, RawArguments.count)).contains { index in
            words.contains { RawArguments.has($0, at: index) }
        } || RawArguments.has(Isolation.none.rawValue, as: Options.sandbox.flag.spellings)
    }
}
