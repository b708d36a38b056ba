import Artwork
import Batch
import Digest
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
    /// after a cancelled or killed run resumes it. All items are read before the first is drawn.
    /// They are kept in the folder meanwhile, so memory does not grow with their number.
    ///
    /// URLs must use `http`, `https` or `data`. Any other scheme fails the item, even if the loader
    /// supports it. The observer is not called for these items; `progress` is called as each item
    /// ends.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if missing.
    ///   - format: The format of the files.
    ///   - progress: A closure that is called on a thread of the library.
    /// - Throws: ``EmblemError/failedToWrite(_:)``; ``EmblemError/scaleOutOfRange(_:)``;
    ///   ``EmblemError/failedToDraw(_:)`` if there is no layout, scale or scheme;
    ///   `CancellationError` if the task is cancelled; the error of the sources.
    @discardableResult
    public func write(
        to folder: String, format: FileFormat = .png,
        progress: (@Sendable (BatchProgress) -> Void)? = nil
    ) async throws -> WrittenBatch {
        if let fault = wholeLook.fault { throw fault }
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
            loader, pixels: wholeLook.pixels(in: renderer.theme.tokens), timeout: timeout)
        var settings = settings(renderer.theme.tokens, format)
        settings.recipe.placeholder = try await placeholderChoice(loading)
        let output = try EmblemError.writing { () throws(OutletError) in
            try OutputFolder(FilePath(folder))
        }
        let lock = try EmblemError.writing { () throws(OutletError) in try OutputLock(output) }
        let outlet = try EmblemError.writing { () throws(PlanError) in
            try Outlet(folder: output, templateText: nil)
        }
        let plan = try await plan(settings, in: output)
        let past = HistoryReading(of: outlet, startsOver: false)
        let history = try EmblemError.writing { () throws(OutletError) in try past.history() }
        let tally = progress.map { ProgressTally(total: plan.count, $0) }
        let backend = LibraryBackend(
            renderer, decoding, drawings: settings.jobs, endsRun: true)
        let context = RunContext(
            settings: settings, backend: backend, loader: CustomLoader(loading: loading),
            confinement: { backend.confinement })
        let run = { (resumes: Bool) async throws(BatchError) -> BatchRun.Report in
            try await BatchRun(
                plan: plan, context: context, outlet: outlet, counter: RunCounter(),
                history: history, resumes: resumes, observer: { tally?.count($0) }
            ).run(stride(from: 0, to: plan.count, by: 1), trace: nil)
        }
        let report: BatchRun.Report
        do throws(BatchError) {
            do throws(BatchError) {
                report = try await run(history.isUnfinished)
            } catch .otherRun {
                // The interrupted run was another batch. Its valid outputs are reused anyway.
                report = try await run(false)
            }
        } catch {
            throw EmblemError(error)
        }
        _ = consume past
        _ = consume lock
        guard report.ending == .finished else { throw CancellationError() }
        return WrittenBatch(
            report.counts, setAside: outlet.ledger.moved.count, folder: folder)
    }

    private func settings(_ theme: Theming.Theme, _ format: FileFormat) -> RunSettings {
        var settings = RunSettings(
            component, wholeLook, layouts: componentLayouts, schemes: schemes, scales: scales,
            theme: theme, renderers: renderers, bytesLimit: Swift.max(1 << 24, bytesLimit))
        settings.recipe.variants = settings.variants(of: componentLayouts)
        settings.recipe.output = .fixed(format.value)
        settings.recipe.badgeCorner = badgeCorner.value
        settings.network.connections = Swift.max(1, concurrency / 8)
        settings.network.perHost = Swift.max(1, concurrency / 2)
        settings.network.stale = .passing
        return settings
    }

    private func plan(_ settings: RunSettings, in output: OutputFolder) async throws -> BatchPlan {
        var draft = PlanDraft(
            options: PlanOptions(
                drawsLabels: settings.recipe.placeholder == .initials, scratch: output.path))
        let folder = output.path.appending(FilePath(OutputFolder.ownName))
        var sources = sources.makeAsyncIterator()
        while let next = try await sources.next(isolation: nil) {
            try Task.checkCancellation()
            let row = try await ListRow(next.emblemItem, at: draft.count, in: output)
            try EmblemError.writing { () throws(PlanError) in try draft.add(row, in: folder) }
        }
        return try EmblemError.writing { () throws(PlanError) in try BatchPlan(draft) }
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

extension ListRow {
    /// Creates the row of an item. An empty text counts as missing, as in a list.
    fileprivate init(
        _ item: EmblemItem, at index: Int, in output: OutputFolder
    ) async throws {
        self.init(line: index + 1, offset: 0)
        let text = { (text: String?) in text?.isEmpty == true ? nil : text }
        source = text(try await item.source.listed(in: output))
        id = text(item.id)
        label = text(item.label)
        look[.appearance] = item.appearance?.rawValue
        look[.badge] = item.badge.map { "\($0.text):\($0.appearance.rawValue)" }
    }
}

extension ImageSource {
    /// The source as the text of a list. An image in memory is stored in the output folder under the
    /// digest of its bytes, so that the next run finds it again.
    fileprivate func listed(in output: OutputFolder) async throws -> String {
        switch self {
        case .remote(let url): return url?.absoluteString ?? ""
        case .local(let name):
            return name.hasPrefix("/") || name.hasPrefix(Self.iconPrefix)
                ? name : "\(FileManager.default.currentDirectoryPath)/\(name)"
        case .captured(let image):
            if case .icon(let icon) = image.content { return Self.iconPrefix + icon.rawValue }
            let bytes = try await image.fileBytes()
            let place = "captured/\(SHA256.hash(bytes.span).prefixHex(32))"
            let name = RelativePath.own(place)
            try EmblemError.writing { () throws(OutletError) in
                if try !output.exists(name) { try output.write(bytes.span, to: name) }
            }
            return place
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
    fileprivate static func writing<Result: ~Copyable, Failure>(
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
        case .otherRun(let difference): self = .failedToWrite(difference)
        case .heldTarget(let words): self = .failedToWrite(words)
        case .otherSet(let words):
            self = .failedToWrite(
                "the folder belongs to another set: "
                    + "\(words)")
        }
    }
}

final class ProgressTally: Sendable {
    private let progress: Mutex<BatchProgress>
    private let tell: @Sendable (BatchProgress) -> Void

    init(total: Int, _ tell: @escaping @Sendable (BatchProgress) -> Void) {
        progress = Mutex(BatchProgress(total: total))
        self.tell = tell
    }

    func count(_ record: ItemRecord) {
        let status: EmblemOutcome.Status? =
            switch record.status {
            case .ok: .ok
            case .placeholder: .placeholder
            case .failed: .failed
            case .canceled: nil
            }
        guard let status else { return }
        tell(
            progress.withLock {
                $0.count(status)
                return $0
            })
    }
}

/// The result of a batch that was written to a folder.
public struct WrittenBatch: Hashable, Sendable {
    /// The number of all items.
    public let items: Int
    /// The number of items that show their own image.
    public let ok: Int
    /// The number of items that show a placeholder; the manifest gives the reason.
    public let placeholders: Int
    /// The number of items among ``ok`` that show the image of an earlier batch, because their
    /// source could not be loaded this time.
    public let stale: Int
    /// The number of items without any file.
    public let failed: Int
    /// The number of files of the set.
    public let outputs: Int
    /// The number of items that were reused, because neither they nor their sources had changed.
    public let reused: Int
    /// The number of items with warnings; see the manifest.
    public let linted: Int
    /// The number of foreign files that had the name of an output. They are kept in the folder,
    /// below `.emblem/replaced`.
    public let setAside: Int
    /// The path of the manifest.
    public let manifest: String

    init(_ counts: RunCounts, setAside: Int, folder: String) {
        self.setAside = setAside
        items = counts.done
        ok = counts.ok
        placeholders = counts.placeholders
        stale = counts.stale
        failed = counts.failed
        outputs = counts.outputs
        reused = counts.reused
        linted = counts.linted
        manifest = FilePath(folder).appending(FilePath(Manifest.name)).description
    }
}
