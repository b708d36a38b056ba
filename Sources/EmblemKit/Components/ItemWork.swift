import Artwork
import Engine
import Render
import Synchronization
import Transport

/// A run of the engine whose items are drawn one at a time, on request.
struct ItemWork: Sendable {
    private let context: RunContext
    private let drawing: ItemDrawing
    private let loading: SourceLoading

    init(_ drawing: ItemDrawing) {
        let options = drawing.options
        let theme = Theme.inForce(options.theme)
        let decoding = Decoding.inForce(options.decoding)
        let loading = SourceLoading(
            options.loader, pixels: drawing.pixels(in: theme.tokens), timeout: options.timeout)
        let canDraw = drawing.fault == nil
        var settings = drawing.settings(theme, decoding)
        settings.recipe.placeholder = canDraw ? .usual(for: drawing.component) : .none
        let backend = LibraryBackend(theme, decoding, drawings: settings.jobs)
        context = RunContext(
            settings: settings, backend: backend,
            fallbacks: canDraw
                ? drawing.fallbacks.map { GivenContent(content: .success($0), loading: loading) }
                : [],
            confinement: { backend.confinement })
        self.drawing = drawing
        self.loading = loading
    }

    /// Draws one item.
    ///
    /// - Parameters:
    ///   - content: The content to draw, or a failure if it is known in advance.
    ///   - index: The index of the item in a batch; `nil` for a single component.
    ///   - shared: The result of an earlier item with the same source, which the item reuses.
    /// - Returns: The drawn item, or `nil` if the task was cancelled, and the result that items
    ///   with the same source can share.
    func make(
        _ content: Result<ComponentContent, any Error>, of item: EmblemItem, at index: Int? = nil,
        sharing shared: SharedResult? = nil
    ) async -> (made: MadeItem?, shared: SharedResult?) {
        var content = content
        if let fault = drawing.fault { content = .failure(fault) }
        var row = ListRow(line: 0, offset: 0)
        // A single component lists all its fallbacks, so its label must not add initials.
        if index != nil { row.label = item.label }
        var work = BatchItem(
            index: index ?? 0, row: row,
            picture: .held(by: GivenContent(content: content, loading: loading, id: item.id)))
        work.settledRecipe = recipe(of: item, isAlone: index == nil)
        let sink = PictureSink()
        let end = await Job(context).run(work, sharing: shared, into: sink)
        guard end.record.status != .canceled else { return (nil, end.shared) }
        return (MadeItem(item, index, content, end, sink.images), end.shared)
    }

    func make(
        _ content: Result<ComponentContent, any Error>, of item: EmblemItem
    ) async throws(CancellationError) -> MadeItem {
        guard let made = await make(content, of: item, at: nil).made else {
            throw CancellationError()
        }
        return made
    }

    /// Returns the recipe of the batch with the item's own appearance and badge.
    private func recipe(of item: EmblemItem, isAlone: Bool) -> Recipe {
        var recipe = context.settings.recipe
        guard !isAlone else { return recipe }
        if let badge = item.badge?.mark(drawing.options.badgeCorner) { recipe.badge = badge }
        if let appearance = item.appearance, drawing.component == .emblem {
            recipe.appearance = appearance
        }
        return recipe
    }
}

/// A drawn item, with its images and the reason for a fallback.
struct MadeItem: Sendable {
    /// The index in the batch; `nil` for a single component.
    let index: Int?
    let item: EmblemItem
    /// The drawn images. Empty if nothing could be drawn.
    let images: [RenderedImage]
    let error: (any Error)?
    let lint: [String]
    /// The index of the shown fallback in `RunContext.fallbacks`; `nil` if none of them is shown.
    let fallbackIndex: Int?
    /// The name of the fallback as in the manifest; empty without a fallback.
    let placeholder: String

    var status: BatchStatus {
        error == nil ? .ok : images.isEmpty ? .failed : .placeholder
    }

    fileprivate init(
        _ item: EmblemItem, _ index: Int?, _ content: Result<ComponentContent, any Error>,
        _ end: JobResult, _ images: [RenderedImage]
    ) {
        self.index = index
        self.item = item
        self.images = images
        switch (content, end.record.failure?.thrown) {
        case (.success(.initials), EmblemError.failedToEncode(let reason)?):
            error = EmblemError.failedToDraw("The initials cannot be drawn: \(reason)")
        case (_, let thrown): error = thrown
        }
        lint = end.record.status == .ok ? end.record.lint.map(\.text) : []
        fallbackIndex = end.fallbackIndex
        placeholder = end.record.placeholder ?? ""
    }
}

/// A sink that keeps the images of one item in memory.
private final class PictureSink: OutputSink {
    private let held = Mutex<[RenderedImage]>([])
    var images: [RenderedImage] { held.withLock { $0 } }
    var storesEqualNamesOnce: Bool { false }

    func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord] {
        held.withLock { $0 = images }
        return []
    }
}
