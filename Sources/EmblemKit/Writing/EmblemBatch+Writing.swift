import Artwork
import Batch
import Engine
import FoundationEssentials
import Render
import Synchronization
import System
import Theming
import Transport

extension EmblemBatch {
    /// Writes every emblem and a manifest into a folder, like `emblem batch`, with the sources,
    /// loader and look of this batch.
    ///
    /// ```swift
    /// var batch = EmblemBatch(merchants.map { EmblemItem(url: $0.logo, id: $0.id) })
    /// batch.layouts = [.medium, .xLarge]
    /// let written = try await batch.write(to: "emblems", format: .webp)
    /// print(written.ok, "of", written.items, "in", written.manifest)
    /// ```
    ///
    /// Files are named `LAYOUT/ID@SCALEx.EXTENSION`. The name of an item without an id comes from
    /// its source. A file is written completely or not at all. Other files in the folder stay
    /// unchanged; a foreign file with the name of an output is moved aside
    /// (``WrittenBatch/setAside``). A second call with the same items rewrites nothing, and a call
    /// after a cancelled or killed run resumes it.
    ///
    /// Items are drawn while the sources deliver them, at most 1,024 items ahead of the drawing. An
    /// item that wants the name of an earlier one gives both a suffix; the files of the earlier one
    /// are renamed at the end. Memory grows by about 100 bytes per item.
    ///
    /// URLs with another scheme than `http`, `https` or `data` need a loader that knows the scheme.
    /// The observer gets a report of each item. The item in the report comes from the manifest: it
    /// has no appearance and badge, and passwords in URLs are hidden. Requests to the loader have
    /// no id.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if missing.
    ///   - format: The format of the files.
    ///   - progress: A closure that gets the latest progress on a thread of the library, one call
    ///     at a time. Updates that happen while it runs are skipped, so that it delays no item; the
    ///     last update is always reported.
    /// - Throws: ``EmblemError/failedToWrite(_:)``; ``EmblemError/scaleOutOfRange(_:)``;
    ///   ``EmblemError/failedToDraw(_:)`` if there is no layout, scale or scheme;
    ///   ``EmblemError/unavailable(_:)`` if no worker process can be started, so that no image can
    ///   be decoded; `CancellationError` if the task is cancelled; the error of the sources.
    @discardableResult
    public func write(
        to folder: String, format: FileFormat = .png,
        progress: (@Sendable (BatchProgress) -> Void)? = nil
    ) async throws -> WrittenBatch {
        if let fault = emblemLook.fault { throw fault }
        guard !folder.isEmpty else {
            throw EmblemError.failedToWrite("The path of the folder to write to is empty.")
        }
        let renderer = EmblemRenderer.inForce(theme)
        return try await withTaskExecutorPreference(Executors.batches) {
            try await write(renderer, to: folder, format, progress)
        }
    }

    private func write(
        _ renderer: EmblemRenderer, to folder: String, _ format: FileFormat,
        _ progress: (@Sendable (BatchProgress) -> Void)?
    ) async throws -> WrittenBatch {
        let loading = SourceLoading(
            loader, pixels: emblemLook.pixels(in: renderer.theme.tokens), timeout: timeout)
        let decoding = Decoding.inForce(self.decoding, program: renderer.decoding)
        var settings = settings(renderer.theme.tokens, format, decoding)
        settings.recipe.placeholder = try await placeholderChoice(loading)
        settings.recipe.limits = decoding.limits
        let workingDirectory = FileManager.default.currentDirectoryPath
        let output = try EmblemError.writing { () throws(OutletError) in
            try OutputFolder(FilePath(folder))
        }
        let lock = try EmblemError.writing { () throws(OutletError) in try OutputLock(output) }
        let outlet = try EmblemError.writing { () throws(PlanError) in
            try Outlet(folder: output, templateText: nil)
        }
        let draft = PlanDraft(
            options: PlanOptions(
                drawsLabels: settings.recipe.placeholder == .initials, scratch: output.path))
        let noRows = try EmblemError.writing { () throws(PlanError) in try BatchPlan(draft) }
        let past = HistoryReading(of: outlet, startsOver: false)
        let history = try EmblemError.writing { () throws(OutletError) in try past.history() }
        let tally = WritingTally(
            total: total, observer ?? DesignSystem.shared.observer, progress)
        let backend = LibraryBackend(
            renderer, decoding, drawings: settings.jobs, endsRun: true)
        let context = RunContext(
            settings: settings, backend: backend, loader: CustomLoader(loading: loading),
            confinement: { backend.confinement })
        let rows = WrittenRows(sources, in: output, badgeCorner: badgeCorner)
        let report: BatchRun.Report
        do throws(BatchError) {
            report = try await BatchRun(
                plan: noRows, context: context, outlet: outlet, counter: RunCounter(),
                history: history, observer: { tally.count($0) }
            ).run(draft, in: rows.folder) { await rows.next() }
        } catch {
            await tally.finish()
            throw EmblemError(error)
        }
        await tally.finish()
        _ = consume past
        if let failure = await rows.failure { throw failure }
        guard report.ending == .finished else { throw CancellationError() }
        do throws(OutletError) {
            try await rows.removeUnusedImages()
        } catch {
            throw EmblemError.failedToWrite("\(error)")
        }
        _ = consume lock
        return WrittenBatch(
            report.counts, setAside: outlet.ledger.moved.count,
            failures: tally.failures(in: report.plan),
            folder: folder.hasPrefix("/") ? folder : "\(workingDirectory)/\(folder)")
    }

    private func settings(
        _ theme: Theming.Theme, _ format: FileFormat, _ decoding: Decoding
    ) -> RunSettings {
        var settings = RunSettings(
            component, emblemLook, layouts: componentLayouts, schemes: schemes, scales: scales,
            theme: theme, renderers: renderers, bytesLimit: Swift.max(1 << 24, bytesLimit),
            decoding: decoding)
        settings.recipe.variants = settings.variants(of: componentLayouts)
        settings.recipe.output = .fixed(format.value)
        settings.network.connections = Swift.max(1, concurrency / 8)
        settings.network.perHost = Swift.max(1, concurrency / 2)
        return settings
    }

    /// Loads the fallback image once, before the run.
    private func placeholderChoice(
        _ loading: SourceLoading
    ) async throws -> PlaceholderChoice {
        // An avatar shows initials if its item has a label, otherwise the icon.
        if component == .avatar { return .initials }
        do {
            let image = try await placeholder.load(loading).image
            if case .icon(let icon) = image.content { return .icon(icon) }
            return .picture(name: "placeholder", bytes: try await image.fileBytes())
        } catch {
            try Task.checkCancellation()
            return .icon(.accountBalance)
        }
    }
}

extension AvatarBatch {
    /// Writes every avatar and a manifest into a folder, like
    /// ``EmblemBatch/write(to:format:progress:)``.
    @discardableResult
    public func write(
        to folder: String, format: FileFormat = .png,
        progress: (@Sendable (BatchProgress) -> Void)? = nil
    ) async throws -> WrittenBatch {
        var base = base
        base.avatars = layouts
        return try await base.write(to: folder, format: format, progress: progress)
    }
}

extension EmblemError {
    static func writing<Result: ~Copyable, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(EmblemError) -> Result {
        try rethrowing(body()) { (error: Failure) in
            EmblemError.failedToWrite("\(error)")
        }
    }

    fileprivate init(_ error: BatchError) {
        switch error {
        case .outlet(let cause): self = .failedToWrite("\(cause)")
        case .plan(let cause): self = .failedToWrite("\(cause)")
        case .workers(let cause): self.init(cause)
        case .heldTarget(let words): self = .failedToWrite(words)
        case .otherSet(let words):
            self = .failedToWrite(
                "the folder belongs to another set: "
                    + "\(words)")
        }
    }
}
