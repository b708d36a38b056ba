import Artwork
import Batch
import Console
import Engine
import Flags
import Gauge
import Notation
import Render
import System
import Targets
import Transport
import Worker

/// The output folder of a batch, locked against other runs until `unlock()`.
struct OpenedOutput: ~Copyable {
    let outlet: Outlet
    /// The history of earlier runs into the folder, which a thread reads during planning.
    let past: HistoryReading
    private let lock: OutputLock
    /// The locks of the target folders outside the output folder.
    private let targetLocks: HeldFolders

    init(
        _ outlet: Outlet, _ lock: consuming OutputLock, _ targetLocks: HeldFolders, startsOver: Bool
    ) {
        self.outlet = outlet
        self.lock = lock
        self.targetLocks = targetLocks
        past = HistoryReading(of: outlet, startsOver: startsOver)
    }

    consuming func unlock() { targetLocks.release() }
}

extension BatchCommand {
    /// Runs the plan, shows its progress and returns its exit code.
    ///
    /// - Parameter opened: The output folder, if it is already open.
    func run(
        _ plan: BatchPlan, into opened: consuming OpenedOutput?
    ) async throws -> Int32 {
        let arguments = context.arguments
        let signals = StopSignals()
        try context.checkIsolation()
        let output: OpenedOutput
        if let opened = consume opened { output = opened } else { output = try open() }
        let outlet = output.outlet
        let folder = outlet.folder
        let history = try history(output.past)
        try check(plan, after: history)
        let items = self.indices(of: plan)
        let start = MonotonicClock.now
        let counter = RunCounter()
        let progress = BatchProgress(context, counter: counter, start: start)
        // If the folder has a history, probably nothing is drawn, so no worker is started in
        // advance.
        var settings = settings
        settings.onlyFailures = arguments[Options.onlyFailures]
        let run = context.runContext(
            settings,
            expecting: !startsOver && history.isEmpty == false
                ? 0 : items.count)
        let batch = BatchRun(
            plan: plan, context: run, outlet: outlet,
            counter: counter, history: history,
            startsOver: startsOver, orphans: orphanTreatment,
            observer: { progress.note($0.record, twinFailure: $0.twinFailure) })
        context.warnAboutUnreadableFolders(of: plan)
        if printsNotes {
            for line in PlanNotices(plan: plan, mask: settings.mask).lines {
                context.messages.line(line.text, line.level)
            }
            if !startsOver, let change = batch.changeSinceLastRun(items) {
                context.messages.line(
                    "since the last run into \(destination): \(change)", .note)
            }
        }
        let task = Task { try await batch.run(items) }
        signals.onFirst { task.cancel() }
        let drawing = Task { await progress.follow() }
        let result = await task.result
        drawing.cancel()
        await drawing.value
        switch result {
        case .success(let report):
            progress.finish(report)
            context.checkIsolation(after: run)
            var ending: Int32?
            // The summary must follow every other line.
            defer { if let ending { progress.printSummary(of: report, exitCode: ending) } }
            let code: Int32
            do {
                try writeSideFiles(report, plan, in: outlet)
                if report.ending == .finished { try await writeSheet(of: outlet) }
                printState(of: report)
                code = exitCode(of: report, plan, signals)
            } catch {
                try setTime(ofManifestIn: folder, hasFailed: true)
                throw error
            }
            if report.ending == .finished {
                try setTime(ofManifestIn: folder, hasFailed: code != 0)
            }
            output.unlock()
            ending = code
            return code
        case .failure(let error):
            // The manifest may be complete even if a later file could not be written.
            if case .outlet? = error as? BatchError {
                try setTime(ofManifestIn: folder, hasFailed: true)
            }
            throw (error as? BatchError).map { CommandFailure($0) } ?? error
        }
    }

    /// Sets the modification time of the manifest, which is the target of make and ninja. After a
    /// failed run it is older than all sources, so that make repeats the batch; after a successful
    /// run it is the current time.
    private func setTime(
        ofManifestIn folder: OutputFolder, hasFailed: Bool
    ) throws(OutletError) {
        if hasFailed {
            try Manifest.outdate(in: folder)
        } else if try Manifest.isOutdated(in: folder) {
            try Manifest.refresh(in: folder)
        }
    }

    /// Whether every output is rendered again (`--force`).
    var startsOver: Bool { context.arguments[Options.force] }

    /// Whether notes are printed (no `--quiet`).
    var printsNotes: Bool { !context.arguments[Options.quiet] }

    /// The treatment of files that only earlier runs produced (`--prune`).
    private var orphanTreatment: Orphans.Treatment {
        if context.arguments[Options.limit] != nil { return .ignore }
        return context.arguments[Options.prune].map { .remove(atMost: $0) } ?? .count
    }

    /// Waits for the history of the folder, and warns if it is damaged.
    private func history(_ past: borrowing HistoryReading) throws(OutletError) -> RunHistory {
        let history = try past.history()
        if !startsOver, let damage = history.damage {
            context.messages.line("\(damage)", .warning)
        }
        return history
    }

    /// Refuses `--only-failures` without an earlier run, and a list from `emblem failures` that
    /// would replace the original list and so lose the other items.
    private func check(_ plan: BatchPlan, after history: RunHistory) throws(CommandFailure) {
        if context.arguments[Options.onlyFailures], history.isEmpty {
            throw CommandFailure(
                66,
                "--only-failures: no run into \(destination) has ended yet; run without it first")
        }
        guard !startsOver, plan.isListOfFailures, plan.count < history.count else { return }
        throw CommandFailure(
            64,
            "the list comes from 'emblem failures' and would replace all other items of "
                + "\(destination); use the original list with --only-failures, or another folder "
                + "with -o")
    }

    /// Writes the files of `--report` and `--depfile`, and reports to GitHub Actions.
    private func writeSideFiles(
        _ report: BatchRun.Report, _ plan: BatchPlan, in outlet: Outlet
    ) throws {
        if context.arguments[Options.report] { try writeReport(report, in: outlet) }
        if report.ending == .finished, let annotations = GitHubReport(context) {
            try annotations.write(Findings(in: destination, of: plan), report.counts)
        }
        if let path = context.arguments[Options.depfile], report.ending != .canceled {
            let file = DependencyFile(command: self, plan: plan, folder: outlet.folder)
            if let notice = try file.write(to: FilePath(path)) { context.warn(notice) }
        }
    }

    /// If the run has no emblem and standard error is a terminal, prints the reason and the next
    /// command to type.
    private func printState(of report: BatchRun.Report) {
        let terminal = Terminal.at(2, environment: context.environment)
        let arguments = context.arguments
        guard report.ending == .finished, terminal.isTerminal, !arguments[Options.quiet],
            !context.messages.isJSON,
            let content = report.counts.stateContent(output: "\(destination)")
        else { return }
        context.messages.line("\n  \(content.title)\n  \(content.subtitle)")
        for button in content.buttons { context.messages.line("  → \(button.title)") }
    }

    /// Writes `OUT/report.html`. If nothing was rendered, keeps a report that is newer than the
    /// manifest.
    private func writeReport(_ report: BatchRun.Report, in outlet: Outlet) throws {
        let (counts, folder) = (report.counts, outlet.folder)
        guard report.ending == .finished else { return }
        let page = RelativePath(ours: ReportPage.name)
        if counts.reused == counts.done, counts.done > 0,
            let standing = try folder.facts(of: page)?.modified,
            let made = try folder.facts(of: RelativePath(ours: Manifest.name))?.modified,
            try !Manifest.isOutdated(in: folder), standing >= made,
            try outlet.ledger.isPage(page, with: ReportPage.title)
        {
            return
        }
        do {
            let inputs = context.arguments.operands.filter {
                FileFacts.at(FilePath($0))?.kind == .folder
            }
            let folders =
                inputs
                + lists.map { FilePath($0).folder.description } + ["."]
            let contents = try ReportPage(
                folder: destination, counts: counts, theme: settings.theme,
                sources: ReportSources(page: "\(destination)", folders: folders))
            let html = Array(try contents.html().utf8)
            try outlet.ledger.checkPlace(of: page, unless: ReportPage.title)
            try folder.write(html.span, to: page)
        } catch let error as ArtworkError {
            throw CommandFailure(1, "--report: \(error)")
        }
    }

    /// Returns the exit code of a run, and reports what makes it fail.
    private func exitCode(
        of report: BatchRun.Report, _ plan: BatchPlan, _ signals: StopSignals
    ) -> Int32 {
        let counts = report.counts
        guard report.ending == .finished else { return signals.exitCode ?? 130 }
        if let notice = report.orphans?.notice { context.messages.line(notice, .error) }
        let errors = counts.errors.values.reduce(0, +)
        if counts.ok == 0, errors > 0, counts.retryableErrors == errors { return 75 }
        if counts.failed > 0 || plan.skips.unreadableCount > 0 { return 1 }
        if report.orphans?.withheld != nil { return 1 }
        if context.hasTooManyFailures(counts) { return 1 }
        if context.arguments[Options.strict], plan.hasEmptyInput {
            context.messages.line("an input has no items (--strict)", .error)
            return 1
        }
        return reportLint(of: counts) ? 1 : 0
    }

    /// Returns whether lint of a kind in `--fail-on` was found, and reports it.
    private func reportLint(of counts: RunCounts) -> Bool {
        let found = lintThatFails.filter { counts.items(with: $0) > 0 }
        for word in found {
            context.messages.line(
                "\(Counted(counts.items(with: word), "item has", many: "items have")) the lint "
                    + "warning '\(word)' (--fail-on)",
                .error)
        }
        return !found.isEmpty
    }

    // MARK: The output folder

    /// Creates the output folder if it is missing, opens it, and locks it and the target folders.
    func open() throws -> OpenedOutput {
        let folder = try OutputFolder(destination)
        let lock = try OutputLock(folder)
        let (targets, targetLocks) = try openTargets(in: folder)
        let outlet = Outlet(
            folder: folder, templateText: context.arguments[Options.name], targets: targets,
            hasOneLayout: settings.layouts.count == 1)
        return OpenedOutput(outlet, lock, targetLocks, startsOver: startsOver)
    }

    /// Opens an existing output folder before the plan is made, so that its history is read in
    /// parallel with the list. Opening changes no file, so a plan that fails leaves the folder as
    /// it was. A failure here is ignored: `open()` reports it later, after any error of the plan.
    func openExisting() -> OpenedOutput? {
        guard spots.allSatisfy({ $0.isInside }), !lists.contains("-"), !startsOver,
            FileFacts.at(destination.appending(FilePath(RunHistory.name.text)))?.kind == .file
        else { return nil }
        do { return try open() } catch { return nil }
    }

    /// Opens the folder of each target, and locks the folders outside the output folder.
    private func openTargets(
        in folder: OutputFolder
    ) throws(OutletError) -> (targets: [OpenTarget], locks: HeldFolders) {
        let locks = HeldFolders()
        var targets: [OpenTarget] = []
        for spot in spots { targets.append(try spot.open(in: folder)) }
        for opened in targets where opened.root.isElsewhere {
            try locks.hold(opened.root.folder)
        }
        return (targets, locks)
    }
}
