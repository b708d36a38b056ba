import Artwork
import Engine
import Gauge
import Render
import Synchronization
import Theming
import Transport

/// A run of the engine whose items are drawn one at a time, on request.
struct ItemWork: Sendable {
    private let context: RunContext
    private let look: EmblemLook
    private let badgeCorner: Badge.Corner
    private let loading: SourceLoading
    private let observer: (any EmblemObserver)?

    /// - Parameters:
    ///   - fallbacks: The contents to draw instead, in order; the first that can be drawn is used.
    ///   - timeout: The time limit for a load of a custom loader.
    ///   - theme: The theme of all items; `nil` uses the current theme.
    ///   - decoding: The isolation and the limits; `nil` uses the setting of the renderer.
    ///   - renderers: The number of images drawn at once.
    ///   - bytesLimit: The limit for loaded bytes that wait to be drawn. No load starts beyond it.
    init(
        _ component: Component, _ look: EmblemLook, fallbacks: [ComponentContent],
        loader: (any AsyncEmblemImageLoader)?, timeout: Duration, theme: Theme?,
        decoding: Decoding? = nil, renderers: Int = 1, bytesLimit: Int = .max,
        badgeCorner: Badge.Corner = .topRight, observer: (any EmblemObserver)? = nil
    ) {
        let renderer = EmblemRenderer.inForce(theme)
        let decoding = Decoding.inForce(decoding, program: renderer.decoding)
        let loading = SourceLoading(
            loader, pixels: look.pixels(in: renderer.theme.tokens), timeout: timeout)
        var settings = RunSettings(
            component, look, theme: renderer.theme.tokens, renderers: renderers,
            bytesLimit: bytesLimit, decoding: decoding)
        settings.recipe.placeholder = look.fault == nil ? .usual(for: component) : .none
        let backend = LibraryBackend(renderer, decoding, drawings: settings.jobs)
        context = RunContext(
            settings: settings, backend: backend,
            fallbacks: look.fault == nil
                ? fallbacks.map { GivenContent(content: .success($0), loading: loading) } : [],
            confinement: { backend.confinement })
        self.look = look
        self.badgeCorner = badgeCorner
        self.loading = loading
        self.observer = observer ?? DesignSystem.shared.observer
    }

    /// Draws one item and reports it to the observer.
    ///
    /// - Parameters:
    ///   - content: The content to draw, or a failure if it is known in advance.
    ///   - index: The index of the item in a batch; `nil` for a single component.
    ///   - start: Whether the item reuses the result of an earlier item with the same source, and
    ///     that result; `nil` for a single component.
    /// - Returns: The drawn item, or `nil` if the task was cancelled, and the result that items
    ///   with the same source can share.
    func make(
        _ content: Result<ComponentContent, any Error>, of item: EmblemItem, at index: Int? = nil,
        _ start: LookAhead.Start? = nil
    ) async -> (made: MadeItem?, shared: SharedResult?) {
        let notes = observer.map { _ in LoadNotes() }
        var content = content
        if let fault = look.fault { content = .failure(fault) }
        var row = ListRow(line: 0, offset: 0)
        // A single component lists all its fallbacks, so its label must not add initials.
        if index != nil { row.label = item.label }
        var work = BatchItem(
            index: index ?? 0, row: row,
            picture: .held(
                by: GivenContent(content: content, loading: loading, id: item.id, notes: notes)))
        work.settledRecipe = recipe(of: item, isAlone: index == nil)
        let sink = PictureSink()
        let end = await Job(context).run(work, sharing: start?.shared, into: sink)
        guard end.record.status != .canceled else { return (nil, end.shared) }
        let isFollower = start?.ticket.isFollower ?? false
        let made = MadeItem(item, index, content, end, sink.images, isFollower)
        if let notes { observer?.finished(EmblemReport(made, end.clock, notes)) }
        return (made, end.shared)
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
        if let badge = item.badge?.mark(badgeCorner) { recipe.badge = badge }
        if let appearance = item.appearance, context.settings.component == .emblem {
            recipe.appearance = appearance.value
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
    /// Whether the images were drawn for another item with the same source.
    let isShared: Bool

    var status: EmblemOutcome.Status {
        error == nil ? .ok : images.isEmpty ? .failed : .placeholder
    }

    fileprivate init(
        _ item: EmblemItem, _ index: Int?, _ content: Result<ComponentContent, any Error>,
        _ end: JobResult, _ images: [RenderedImage], _ isFollower: Bool
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
        isShared = isFollower && !end.clock.laps.contains { $0.stage == .compose }
    }
}

extension RunSettings {
    /// Creates settings for a run whose backend applies the limits of `decoding` to each image.
    ///
    /// - Parameter bytesLimit: The limit for sources that wait to be drawn, in bytes.
    init(
        _ component: Component, _ look: EmblemLook, layouts: [ComponentLayout] = [],
        schemes: [ColorScheme] = [], scales: [Double] = [], theme: Theming.Theme, renderers: Int,
        bytesLimit: Int, decoding: Decoding
    ) {
        self.init(
            component, layouts: layouts, schemes: schemes.map(\.value), scales: scales,
            theme: theme, jobs: min(max(1, renderers), 1 << 16),
            memoryBytes: Workers.memoryBytes)
        recipe = look.recipe
        waitingBytesLimit = max(1, bytesLimit)
        network.itemTimeout = decoding.timeout
        renderTimeout = decoding.processorTime
        backendLimitsTime = true
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
