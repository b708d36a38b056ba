import Batch
import Console
import Engine
import Flags
import Gauge
import Notation
import System
import Targets
import Transport

/// Where a batch writes, held for it and for no other run.
struct OpenedOutput: ~Copyable {
    let outlet: Outlet
    let past: HistoryReading
    private let lock: OutputLock
    private let otherLocks: HeldFolders

    init(
        _ outlet: Outlet, _ lock: consuming OutputLock, _ otherLocks: HeldFolders, startsOver: Bool
    ) {
        self.outlet = outlet
        self.lock = lock
        self.otherLocks = otherLocks
        past = HistoryReading(of: outlet, startsOver: startsOver)
    }

    /// Lets other runs have it.
    consuming func letGo() { otherLocks.letGo() }
}

extension BatchCommand {
    /// With `--wait`, waits until no other run holds OUT.
    func waitForTurn() async throws {
        guard context.arguments[Options.wait], FileFacts.at(lockFile) != nil else { return }
        let folder = try OutputFolder(destination)
        try await waiting { _ = try hold(folder) }
    }

    /// Opens OUT like `open()`; with `--wait`, once no other run holds it or the folder of a target.
    func open(_ signals: StopSignals) async throws -> OpenedOutput {
        try await waiting(signals) { try open() }
    }

    /// Repeats `body` for as long as it fails because another run holds a folder, if `--wait` asks
    /// for that, until a signal comes. Without `signals` a signal ends the process.
    private func waiting<Result: ~Copyable>(
        _ signals: StopSignals? = nil, _ body: () throws -> Result
    ) async throws -> Result {
        var hasTold = false
        while true {
            do {
                return try body()
            } catch {
                guard (error as? any ExitCoded)?.exitCode == 75, context.arguments[Options.wait]
                else { throw error }
                if !hasTold, tells { context.messages.line("waiting: \(error)", .note) }
            }
            hasTold = true
            try await Task.sleep(for: .milliseconds(50))
            if let code = signals?.exitCode {
                throw CommandFailure(
                    code, "stopped while another run held \(destination); nothing was written")
            }
        }
    }

    /// Makes the folder where it is missing, and opens and holds it with those of the targets.
    func open() throws -> OpenedOutput {
        let folder = try OutputFolder(destination)
        let lock = try hold(folder)
        let (targets, otherLocks) = try openTargets(in: folder)
        let outlet = Outlet(
            folder: folder, templateText: context.arguments[Options.name], targets: targets,
            hasOneLayout: settings.layouts.count == 1,
            syncsEachOutput: context.arguments[Options.fsync],
            namePrefix: context.arguments[Options.prefix] ?? "",
            sharesTargets: context.arguments[Options.shareTarget])
        return OpenedOutput(outlet, lock, otherLocks, startsOver: startsOver)
    }

    /// The same before there is a plan, where a set stands there already that may be taken over, so
    /// that what is known of it is read while the list is. Should the plan fail, nothing was changed;
    /// what is in the way here is said after what is wrong with the plan, if it still is then.
    func openStanding() -> OpenedOutput? {
        guard spots.allSatisfy({ $0.isInside }), !lists.contains("-"), !startsOver,
            FileFacts.at(destination.appending(FilePath(RunHistory.name.text)))?.kind == .file
        else { return nil }
        do { return try open() } catch { return nil }
    }

    /// Opens the folders that targets were named, and holds them too.
    private func openTargets(
        in folder: OutputFolder
    ) throws(OutletError) -> (targets: [OpenTarget], locks: HeldFolders) {
        let locks = HeldFolders()
        var targets: [OpenTarget] = []
        for spot in spots { targets.append(try spot.open(in: folder)) }
        for opened in targets where opened.files.isElsewhere {
            try locks.hold(opened.files.folder)
        }
        return (targets, locks)
    }

    private func hold(_ folder: OutputFolder) throws -> OutputLock {
        do throws(OutletError) {
            return try OutputLock(folder)
        } catch {
            guard case .held = error else { throw error }
            throw CommandFailure(error.exitCode, "\(error)\(sinceWhen())")
        }
    }

    private var lockFile: FilePath {
        destination.appending(FilePath("\(OutputFolder.ownName)/lock"))
    }

    /// When the run began that holds the folder: its lock was written then.
    private func sinceWhen() -> String {
        guard let facts = FileFacts.at(lockFile) else { return "" }
        let time = WallClock.iso8601(milliseconds: facts.modified / 1_000_000_000 * 1_000)
        return " (it began at \(time))"
    }
}
