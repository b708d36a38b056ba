import Artwork
import Cell
import Console
import Flags
import Gauge
import Pipeline
import Render
import Transport

extension BatchCommand {
    /// Runs the plan, shows its progress, and turns its end into an exit code.
    func run(_ plan: BatchPlan) async throws -> Int32 {
        let arguments = context.arguments
        let folder = try makeFolder()
        let lock = try hold(folder)
        let start = MonotonicClock.now
        let trace = try arguments.text("trace").map { try openTrace($0, start: start) }
        let counter = RunCounter()
        let progress = BatchProgress(context, counter: counter, start: start)
        let shop = shop(places(of: plan).underestimatedCount)
        let batch = BatchRun(
            plan: plan, shop: shop,
            outlet: try Outlet(
                folder: folder, templateText: arguments.text("name"),
                syncsEachOutput: arguments.toggle("fsync")),
            counter: counter, observer: { progress.tell(of: $0) })
        let places = places(of: plan)
        let task = Task { try await batch.run(places, trace: trace) }
        let signals = StopSignals { task.cancel() }
        let drawing = Task { await progress.follow(shop) }
        let result = await task.result
        drawing.cancel()
        await drawing.value
        _ = consume lock
        switch result {
        case .success(let report):
            progress.finish(report)
            try trace?.close()
            try writeSideFiles(report, plan)
            let code = exitCode(of: report, signals)
            guard code == 0, let failure = shop.place.failure else { return code }
            throw CommandFailure(1, "\(failure)")
        case .failure(let error as BatchError): throw CommandFailure(error)
        case .failure(let error): throw error
        }
    }

    /// What the jobs share; with processes to render in, no more of them than there are items.
    private func shop(_ items: Int) -> Workshop {
        let renderer = Renderer(theme: settings.theme, artwork: EmblemArtwork())
        guard context.arguments.text("isolate") == "process" else {
            return Workshop(settings: settings, renderer: renderer)
        }
        let cells = CellSettings(
            count: settings.jobs, memoryBytes: settings.decodeBytes,
            early: min(items, MachineFacts.availableCores))
        return Workshop(
            settings: settings, renderer: renderer,
            cells: CellPool(settings: cells, renderer: renderer))
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
            if let path = context.arguments.text("metrics") {
                try SingleFile.write(Array(report.metrics.utf8).span, to: FilePath(path))
            }
            if let path = context.arguments.text("depfile"), report.ending != .canceled {
                let text = try DependencyFile(command: self, plan: plan).text()
                try SingleFile.write(Array(text.utf8).span, to: FilePath(path))
            }
        } catch let error as OutletError {
            throw CommandFailure(error)
        } catch let error as PlanError {
            throw CommandFailure(error.exitCode, "\(error)")
        }
    }

    private func exitCode(of report: BatchRun.Report, _ signals: StopSignals) -> Int32 {
        let counts = report.counts
        guard report.ending == .finished else { return signals.exitCode ?? 130 }
        let errors = counts.errors.values.reduce(0, +)
        if counts.ok == 0, errors > 0, counts.retryableErrors == errors { return 75 }
        if counts.failed > 0 { return 1 }
        if let tolerance = context.arguments.tolerance("max-failures"),
            tolerance.isPassed(by: counts.withoutPicture, of: counts.done)
        {
            return 1
        }
        if context.arguments.toggle("strict"), counts.placeholders > 0 { return 1 }
        return 0
    }
}

extension CommandFailure {
    init(_ error: BatchError) {
        switch error {
        case .outlet(let cause): self.init(cause)
        case .plan(let cause): self.init(cause.exitCode, "\(cause)")
        }
    }
}
