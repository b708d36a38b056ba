import Artwork
import Batch
import Digest
import Engine
import FoundationEssentials
import Render
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
    /// unchanged; a foreign file with the name of an output makes its item fail. A second call with
    /// the same items rewrites nothing, and a call after a cancelled or killed run resumes it.
    ///
    /// All sources are read before the first item is drawn, because only then is the name of each
    /// item known. Images in memory are stored below the folder until no item has them any more.
    ///
    /// URLs with another scheme than `http`, `https` or `data` need a loader that knows the scheme.
    /// Requests to the loader have no id.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if missing.
    ///   - format: The format of the files.
    /// - Throws: ``EmblemError/failedToWrite(_:)``; ``EmblemError/scaleOutOfRange(_:)``;
    ///   ``EmblemError/failedToDraw(_:)`` if there is no layout, scale or scheme;
    ///   ``EmblemError/unavailable(_:)`` if no worker process can be started, so that no image can
    ///   be decoded; `CancellationError` if the task is cancelled; the error of the sources.
    @discardableResult
    public func write(
        to folder: String, format: FileFormat = .png
    ) async throws -> WrittenBatch {
        try await writing(to: folder, format: format).value
    }

    /// Writes like ``write(to:format:)``, and returns the run as a sequence of its progress.
    ///
    /// ```swift
    /// let run = batch.writing(to: folder)
    /// for try await step in run { print(step) }
    /// let written = try await run.value
    /// ```
    ///
    /// The run starts at once, with the theme and limits of the calling task.
    public func writing(to folder: String, format: FileFormat = .png) -> WrittenBatch.Run {
        WrittenBatch.Run { try await drawing.write(sources, to: folder, format, progress: $0) }
    }
}

extension ItemDrawing {
    fileprivate func write<Sources: AsyncSequence & Sendable>(
        _ sources: Sources, to folder: String, _ format: FileFormat,
        progress: @escaping @Sendable (BatchProgress) -> Void
    ) async throws -> WrittenBatch where Sources.Element: EmblemItemConvertible {
        if let fault { throw fault }
        guard !folder.isEmpty else {
            throw EmblemError.failedToWrite("The path of the folder to write to is empty.")
        }
        let theme = Theme.inForce(options.theme)
        let loading = SourceLoading(
            options.loader, pixels: pixels(in: theme.tokens), timeout: options.timeout)
        let decoding = Decoding.inForce(options.decoding)
        var settings = settings(theme, decoding)
        settings.waitingBytesLimit = max(1 << 24, options.bytesLimit)
        settings.recipe.variants = settings.variants(of: layouts)
        settings.recipe.output = .fixed(format.value)
        settings.network.connections = max(1, options.concurrency / 8)
        settings.network.perHost = max(1, options.concurrency / 2)
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
        let (plan, images) = try await plan(
            sources, in: output, drawsLabels: settings.recipe.placeholder == .initials)
        let past = HistoryReading(of: outlet, startsOver: false)
        let history = try EmblemError.writing { () throws(OutletError) in try past.history() }
        let tally = WritingTally(total: plan.count, progress)
        let backend = LibraryBackend(theme, decoding, drawings: settings.jobs, endsRun: true)
        let context = RunContext(
            settings: settings, backend: backend, loader: CustomLoader(loading: loading),
            confinement: { backend.confinement })
        let report: BatchRun.Report
        do throws(BatchError) {
            report = try await BatchRun(
                plan: plan, context: context, outlet: outlet, counter: RunCounter(),
                history: history, observer: { tally.count($0) }
            ).run(0..<plan.count)
        } catch {
            throw EmblemError(error)
        }
        _ = consume past
        guard report.ending == .finished else { throw CancellationError() }
        try EmblemError.writing { () throws(OutletError) in
            try ImageSource.removeStored(except: images, in: output)
        }
        _ = consume lock
        return WrittenBatch(
            report.counts, failures: tally.failures,
            folder: folder.hasPrefix("/") ? folder : "\(workingDirectory)/\(folder)")
    }

    /// Reads all sources, and stores the images in memory. Returns the items as a plan, and the
    /// names of the stored images.
    private func plan<Sources: AsyncSequence & Sendable>(
        _ sources: Sources, in output: OutputFolder, drawsLabels: Bool
    ) async throws -> (plan: BatchPlan, images: Set<String>)
    where Sources.Element: EmblemItemConvertible {
        let folder = output.path.appending(FilePath(OutputFolder.ownName))
        var rows: [ListRow] = []
        var images: Set<String> = []
        for try await source in sources {
            try Task.checkCancellation()
            let row = try await source.emblemItem.row(rows.count, in: output, options.badgeCorner)
            if let source = row.source, source.hasPrefix(ImageSource.storedPrefix) {
                images.insert(source)
            }
            rows.append(row)
        }
        try Task.checkCancellation()
        let plan = try EmblemError.writing { () throws(PlanError) in
            try BatchPlan(rows: rows, in: folder, options: PlanOptions(drawsLabels: drawsLabels))
        }
        return (plan, images)
    }

    /// Loads the fallback image once, before the run.
    private func placeholderChoice(
        _ loading: SourceLoading
    ) async throws -> PlaceholderChoice {
        // An avatar shows initials if its item has a label, otherwise the icon.
        guard component == .emblem, case .source(let placeholder)? = fallbacks.first else {
            return .initials
        }
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
    /// ``EmblemBatch/write(to:format:)``.
    @discardableResult
    public func write(
        to folder: String, format: FileFormat = .png
    ) async throws -> WrittenBatch {
        try await writing(to: folder, format: format).value
    }

    /// Writes every avatar like ``EmblemBatch/writing(to:format:)``.
    public func writing(to folder: String, format: FileFormat = .png) -> WrittenBatch.Run {
        WrittenBatch.Run { try await drawing.write(sources, to: folder, format, progress: $0) }
    }
}

extension EmblemItem {
    /// The item as a row of a list. An empty text counts as missing.
    fileprivate func row(
        _ index: Int, in output: OutputFolder, _ corner: Badge.Corner
    ) async throws -> ListRow {
        var row = ListRow(line: index + 1, offset: 0)
        let text = { (text: String?) in text?.isEmpty == true ? nil : text }
        row.source = text(try await source.listed(in: output))
        row.id = text(id)
        row.label = text(label)
        row.hint = text(hint)
        row.value = text(value)
        row.look[.appearance] = appearance?.rawValue
        row.look[.badge] = badge?.mark(corner)?.argument
        // The path of a file may begin or end with a blank.
        if case .local = source { row.isVerbatim = true }
        return row
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
        case .workers(let cause): self.init(cause)
        case .heldTarget(let words): self = .failedToWrite(words)
        case .otherSet(let words):
            self = .failedToWrite(
                "the folder belongs to another set: "
                    + "\(words)")
        }
    }
}

extension ImageSource {
    /// The folder of stored images below `.emblem`.
    fileprivate static let storedPrefix = "captured/"
    /// The length of the name of a stored image.
    fileprivate static let storedDigits = 32

    /// The source as the text of a list. An image in memory is stored in the output folder under the
    /// digest of its bytes.
    fileprivate func listed(in output: OutputFolder) async throws -> String {
        switch self {
        case .remote(let url):
            let text = url?.absoluteString ?? ""
            // Without a scheme, a list would read the text as the path of a local file.
            return text.isEmpty || SourceReference.scheme(of: text) != nil
                ? text : "relative:" + text
        case .local(let name):
            return name.hasPrefix("/") || name.hasPrefix(Self.iconPrefix)
                ? name : "\(FileManager.default.currentDirectoryPath)/\(name)"
        case .captured(let image):
            if case .icon(let icon) = image.content { return Self.iconPrefix + icon.rawValue }
            if case .missing = image.content { return "" }
            let bytes = try await image.fileBytes()
            let place =
                Self.storedPrefix + SHA256.hash(bytes.span).prefixHex(Self.storedDigits)
            let name = RelativePath.own(place)
            try EmblemError.writing { () throws(OutletError) in
                if try !output.exists(name) { try output.write(bytes.span, to: name) }
            }
            return place
        }
    }

    /// Removes the stored images that no item of the last run has.
    fileprivate static func removeStored(
        except images: Set<String>, in output: OutputFolder
    ) throws(OutletError) {
        let folder = output.path.appending(FilePath("\(OutputFolder.ownName)/\(storedPrefix)"))
        // Without the folder, no image was stored.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.description)) ?? []
        for name in names
        where name.utf8.count == storedDigits && name.allSatisfy(\.isHexDigit)
            && !images.contains(storedPrefix + name)
        {
            try output.remove(.own(storedPrefix + name))
        }
    }
}
