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

/// `emblem batch`, and what other commands share with it.
extension CommandContext {
    func batch() async throws -> Int32 {
        let command: BatchCommand
        do {
            command = try BatchCommand(self)
        } catch let error as any ExitCoded where error.exitCode == 66 {
            try checkLists()
            throw error
        }
        try await checkPlaceholder(of: command.settings)
        if arguments[Options.dryRun] {
            return try DryRun(command: command, plan: try command.plan()).run()
        }
        let opened = command.openExisting()
        return try await command.run(command.plan(), into: opened)
    }

    /// Refuses an empty INPUT, which results from an unset variable in a script, and URLs of lists.
    func checkInputs() throws(UsageError) {
        guard !arguments.operands.contains("") else {
            throw UsageError(
                "An INPUT is empty.",
                remedy: "Check the variables of the script, or remove the empty argument.")
        }
        for name in arguments[Options.list] {
            guard let scheme = SourceReference.scheme(of: name),
                name.dropFirst(scheme.utf8.count).hasPrefix("://"),
                FileFacts.at(FilePath(name)) == nil
            else { continue }
            let shown = PrintableText.escaped(SourceMask().shown(name), limit: 200)
            // A URL that is not shown in full cannot be typed again.
            let word = shown == name ? ShellWord.quoted(name) : "URL"
            throw arguments.error(
                Options.list, "--list takes a file or -, not the URL '\(shown)'.",
                remedy: scheme == "file"
                    ? "Write a path."
                    : "Type '\(scheme == "s3" ? "aws s3 cp \(word) -" : "curl -fsSL \(word)") | emblem "
                        + "batch --list - -o OUT'.")
        }
    }

    func dialect() throws(UsageError) -> ListDialect {
        guard let text = arguments[Options.columns] else { return ListDialect() }
        do throws(ListDialect.Fault) {
            return try ListDialect(columns: text)
        } catch {
            throw arguments.error(Options.columns, "\(error)")
        }
    }

    /// Throws the error of a malformed list. It is called when an input file is missing, since the
    /// malformed list is reported first. Standard input can be read only once.
    private func checkLists() throws {
        let lists = arguments[Options.list].filter { $0 != "-" }
        guard !lists.isEmpty else { return }
        let options = PlanOptions(dialect: try dialect())
        do throws(PlanError) {
            _ = try BatchPlan(lists.map { .list($0) }, options: options)
        } catch {
            if error.exitCode == 65 { throw error }
        }
    }
}

/// A batch whose options are checked. Everything is planned before the first byte of an image is
/// read.
struct BatchCommand {
    let context: CommandContext
    let settings: RunSettings
    let destination: FilePath
    /// The output targets with their folders.
    let spots: [TargetSpot]

    /// Reads and checks the options, without reading lists or sources.
    init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        try context.checkInputs()
        destination = try arguments.requiredFolder(Options.folder)
        let targets = try context.targetChoices()
        settings = try RunSettings(context, targets)
        spots = try context.targetSpots(targets, settings, out: destination)
        try checkDestinations()
    }

    /// Checks before any work that the output folders and the files of options such as `--depfile`
    /// can be written.
    private func checkDestinations() throws {
        if let obstacle = FileFacts.obstacle(to: destination) {
            throw obstacle
        }
        for case .elsewhere(let folder) in spots.map(\.site) {
            if let obstacle = FileFacts.obstacle(to: folder) { throw obstacle }
        }
        try SideFiles(self).check()
    }

    /// The files that the run reads besides images: lists and files that options name.
    var ownFiles: [FilePath] {
        var files = lists.filter { $0 != "-" }
        files += [context.arguments[Options.theme]].compactMap(\.self)
        files += context.arguments[Options.header].compactMap(CommandContext.headerFile)
        if case .picture = settings.recipe.placeholder,
            let placeholder = context.arguments.texts(Options.placeholder).last
        {
            files.append(placeholder)
        }
        return files.map { FilePath($0) }
    }

    /// The configuration file of this run, even if it does not exist; nil with `--config none`.
    var configurationFile: FilePath? {
        let name = context.arguments[Options.config] ?? CommandLineTool.configurationName
        return name == "none" ? nil : FilePath(name)
    }

    /// The folders that are searched for images recursively.
    var folders: [FilePath] {
        let outputs = Set([FileFacts.at(destination)?.identity].compactMap { $0 } + otherOutputs)
        return context.arguments.operands.flatMap { text -> [FilePath] in
            let folder = FilePath(text)
            guard FileFacts.at(folder)?.kind == .folder else { return [] }
            let below = try? FolderWalk.folders(below: folder, leavingOut: outputs)
            return below?.map { folder.withoutTrailingSlashes.appending($0) } ?? [folder]
        }
    }

    /// Reads the lists and folders once, and determines the names of all outputs.
    func plan() throws -> BatchPlan {
        let arguments = context.arguments
        var inputs = arguments.operands.map { PlanInput.source($0) }
        inputs += lists.map { .list($0) }
        guard !inputs.isEmpty else {
            throw UsageError(
                "No input is given.",
                remedy: "Name files or folders, or a list with '--list FILE'.")
        }
        try checkInputs()
        let places = OutputPlace.all(of: spots, out: destination, settings)
        var options = PlanOptions(
            remoteOnly: settings.remoteOnly,
            drawsLabels: settings.drawsLabels,
            dialect: try context.dialect(),
            output: FileFacts.at(destination)?.identity,
            otherOutputs: otherOutputs,
            places: places,
            ownFiles: ownFiles, targets: spots.map(\.target.kind))
        options.selection.excluded = arguments[Options.exclude].map { PathPattern($0) }
        options.selection.darkSuffix = try darkSuffix()
        let plan = try BatchPlan(inputs, options: options)
        if let least = arguments[Options.minItems], plan.count < least {
            throw CommandFailure(
                65,
                "the inputs have only \(Counted(plan.count, "item")) (--min-items "
                    + "\(least)); nothing was written. Check the list, or choose a smaller "
                    + "number")
        }
        let name = plan.outputOverSource(indices(of: plan), in: settings, spots)
        if let name { throw overSource(name) }
        try SideFiles(self).check(plan, places)
        return plan
    }

    private func darkSuffix() throws(UsageError) -> String? {
        guard let suffix = context.arguments[Options.darkSuffix] else { return nil }
        guard !suffix.isEmpty, !suffix.contains("/") else {
            throw UsageError(
                "--dark-suffix is empty or has a slash.",
                remedy: "Give the end of the names before the extension, as in _dark.")
        }
        return suffix
    }

    /// Returns the error for a planned output that would overwrite a source.
    ///
    /// - Parameter name: The name of the output.
    private func overSource(_ name: String) -> UsageError {
        let isElsewhere = spots.contains { spot in
            guard case .elsewhere(let folder) = spot.site else { return false }
            return name.hasPrefix(OutputPlace.prefix(of: folder))
        }
        let shown = isElsewhere ? name : "\(destination.appending(FilePath(name)))"
        return UsageError(
            "\(PrintableText.escaped(settings.mask.shown(shown))) is a source of this run and "
                + "would be overwritten by an emblem.",
            remedy: "Choose another folder with -o, or other names with --name.")
    }

    /// Refuses inputs that are all output folders. Among other inputs an output folder is skipped,
    /// but alone it was probably meant as the source.
    private func checkInputs() throws(UsageError) {
        let operands = context.arguments.operands
        guard lists.isEmpty, let first = operands.first else { return }
        let outputs = Set([FileFacts.at(destination)?.identity].compactMap { $0 } + otherOutputs)
        let isOutput = operands.allSatisfy { text in
            FileFacts.at(FilePath(text)).map { outputs.contains($0.identity) } ?? false
        }
        guard isOutput else { return }
        throw UsageError(
            "\(PrintableText.escaped(settings.mask.shown(first))) is both input and output.",
            remedy: "Choose another output folder with -o.")
    }

    /// The existing target folders outside the output folder.
    var otherOutputs: [FileIdentity] {
        spots.compactMap { spot in
            guard case .elsewhere(let folder) = spot.site else { return nil }
            return FileFacts.at(folder)?.identity
        }
    }

    /// Returns the indices of the items of this run, after `--limit`.
    func indices(of plan: BatchPlan) -> Range<Int> {
        0..<min(plan.count, context.arguments[Options.limit] ?? .max)
    }

    var lists: [String] { context.arguments[Options.list] }

    // MARK: The run

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
            context.printNotices(of: plan, settings.mask)
            if !startsOver, let change = batch.changeSinceLastRun(items) {
                context.note("since the last run into \(destination): \(change)")
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
            context.warn("\(damage)")
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
        if report.ending == .finished, !report.keepsLastSet,
            let annotations = GitHubReport(context)
        {
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
        if report.keepsLastSet {
            context.messages.line(
                "no item shows its own picture, so \(destination) keeps the last set. Check the "
                    + "sources, and run again",
                .error)
        }
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
        let lint = (context.arguments[Options.failOn] ?? []).filter { counts.lint[$0] ?? 0 > 0 }
        for kind in lint {
            context.messages.line(
                "\(Counted(counts.lint[kind] ?? 0, "item has", many: "items have")) the lint "
                    + "warning '\(kind.rawValue)' (--fail-on)", .error)
        }
        return lint.isEmpty ? 0 : 1
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
