import Artwork
import Batch
import Cell
import Console
import Engine
import Flags
import Gauge
import Notation
import Render
import System
import Transport

extension BatchCommand {
    /// Runs the plan, shows its progress, and turns its end into an exit code.
    func run(_ plan: BatchPlan) async throws -> Int32 {
        let arguments = context.arguments
        try context.checkIsolation()
        let signals = StopSignals()
        let folder = try makeFolder()
        let lock = try hold(folder)
        let history = try self.history(in: folder)
        let start = MonotonicClock.now
        let trace = try arguments[Options.trace].map { try openTrace($0, start: start) }
        let counter = RunCounter()
        let progress = BatchProgress(context, counter: counter, start: start)
        // Where a set stands already, most likely nothing is to be drawn.
        let run = context.runContext(
            settings,
            expecting: history?.isEmpty == false ? 0 : places(of: plan).underestimatedCount)
        let batch = BatchRun(
            plan: plan, context: run,
            outlet: try Outlet(
                folder: folder, templateText: arguments[Options.name],
                syncsEachOutput: arguments[Options.fsync]),
            counter: counter, history: history, resumes: arguments[Options.resume],
            observer: { progress.tell(of: $0) })
        let places = places(of: plan)
        let task = Task { try await batch.run(places, trace: trace) }
        signals.onFirst { task.cancel() }
        let drawing = Task { await progress.follow(run) }
        let result = await task.result
        drawing.cancel()
        await drawing.value
        _ = consume lock
        switch result {
        case .success(let report):
            progress.finish(report)
            context.checkIsolation(after: run)
            try trace?.close()
            try writeSideFiles(report, plan)
            tellState(of: report)
            let code = exitCode(of: report, signals)
            return code
        case .failure(let error as BatchError): throw CommandFailure(error)
        case .failure(let error): throw error
        }
    }

    private func makeFolder() throws(CommandFailure) -> OutputFolder {
        do throws(OutletError) {
            return try OutputFolder(destination)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func hold(_ folder: OutputFolder) throws(CommandFailure) -> OutputLock {
        do throws(OutletError) {
            return try OutputLock(folder)
        } catch .held(let path, let pid) {
            let error = OutletError.held(path: path, pid: pid)
            throw CommandFailure(error.exitCode, "\(error)\(sinceWhen())")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// When the run began that holds the folder: its lock was written then.
    private func sinceWhen() -> String {
        let lock = destination.appending(FilePath("\(OutputFolder.ownName)/lock"))
        guard let facts = FileFacts.at(lock) else { return "" }
        let time = WallClock.iso8601(milliseconds: facts.modified / 1_000_000_000 * 1_000)
        return " (it began at \(time))"
    }

    /// What earlier runs left; nil where everything is to be made anew.
    private func history(in folder: OutputFolder) throws(CommandFailure) -> RunHistory? {
        guard !context.arguments[Options.force] else { return nil }
        do throws(OutletError) {
            let history = try RunHistory(folder)
            if let damage = history.damage { context.messages.line("emblem: \(damage)") }
            return history
        } catch {
            throw CommandFailure(error)
        }
    }

    private func openTrace(_ path: String, start: UInt64) throws(CommandFailure) -> TraceFile {
        do throws(TraceError) {
            return try TraceFile(path: path, start: start)
        } catch {
            throw CommandFailure(73, "--trace \(path): \(error)")
        }
    }

    private func writeSideFiles(_ report: BatchRun.Report, _ plan: BatchPlan) throws {
        do {
            if let path = context.arguments[Options.metrics] {
                try SingleFile.write(Array(report.metrics.utf8).span, to: FilePath(path))
            }
            if context.arguments[Options.report] { try writeReport(report) }
            if let path = context.arguments[Options.depfile], report.ending != .canceled {
                let text = try DependencyFile(command: self, plan: plan).text()
                try SingleFile.write(Array(text.utf8).span, to: FilePath(path))
            }
        } catch let error as OutletError {
            throw CommandFailure(error)
        } catch let error as PlanError {
            throw CommandFailure(error.exitCode, "\(error)")
        }
    }

    /// Where there is nothing to look at, what came of the run and what to type next.
    private func tellState(of report: BatchRun.Report) {
        let terminal = Terminal.at(2, environment: context.environment)
        let arguments = context.arguments
        guard report.ending == .finished, terminal.isTerminal, !arguments[Options.quiet],
            arguments[Options.progress] != "json",
            let content = report.counts.stateContent(output: "\(destination)")
        else { return }
        for line in StateBlock(content: content).lines {
            context.messages.line(line)
        }
    }

    /// `OUT/report.html`; one that stands already stays if nothing was made anew.
    private func writeReport(_ report: BatchRun.Report) throws {
        let path = destination.appending(FilePath(ReportPage.name))
        let counts = report.counts
        guard report.ending == .finished else { return }
        if counts.reused == counts.done, counts.done > 0, FileFacts.at(path) != nil { return }
        do {
            let inputs = context.arguments.operands.filter {
                FileFacts.at(FilePath($0))?.kind == .folder
            }
            let folders = inputs + lists.map { FilePath($0).folder.description } + ["."]
            let page = try ReportPage(
                folder: destination, counts: counts, theme: settings.theme,
                sources: ReportSources(page: "\(destination)", folders: folders))
            try SingleFile.write(Array(try page.html().utf8).span, to: path)
        } catch let error as ManifestError {
            throw CommandFailure(error)
        } catch let error as ArtworkError {
            throw CommandFailure(1, "--report: \(error)")
        }
    }

    private func exitCode(of report: BatchRun.Report, _ signals: StopSignals) -> Int32 {
        let counts = report.counts
        guard report.ending == .finished else { return signals.exitCode ?? 130 }
        let errors = counts.errors.values.reduce(0, +)
        if counts.ok == 0, errors > 0, counts.retryableErrors == errors { return 75 }
        if counts.failed > 0 { return 1 }
        if let tolerance = context.arguments[Options.maxFailures],
            tolerance.isPassed(by: counts.withoutPicture, of: counts.done)
        {
            return 1
        }
        if context.arguments[Options.strict], counts.placeholders > 0 { return 1 }
        return 0
    }
}

extension CommandFailure {
    init(_ error: BatchError) {
        switch error {
        case .outlet(let cause): self.init(cause)
        case .cells(let cause): self.init(cause)
        case .plan(let cause): self.init(cause.exitCode, "\(cause)")
        case .otherRun(let difference):
            self.init(
                64,
                "the run in this folder cannot be resumed, since it was another one: "
                    + "\(difference); say it as it was, or leave --resume out, which still keeps "
                    + "what is done and unchanged")
        }
    }
}
