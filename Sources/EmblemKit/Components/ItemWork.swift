import Artwork
import Engine
import Render
import Synchronization
import Theming
import Transport

/// The engine as the library uses it: a run whose items are made one by one, for whoever has them.
struct ItemWork: Sendable {
    private let context: RunContext
    private let look: EmblemLook
    private let badgeCorner: Badge.Corner
    private let loader: any AsyncEmblemImageLoader
    private let observer: (any EmblemObserver)?

    /// - Parameters:
    ///   - standIns: what is drawn in the place of what cannot be; the first that can be drawn.
    ///   - theme: what all are drawn in; `nil` takes the one in force now.
    ///   - decoding: where; `nil` takes what the renderer says.
    ///   - renderers: so many pictures are drawn at once.
    ///   - bytesLimit: beyond so many bytes that wait to be drawn no load is begun.
    init(
        _ component: Component, _ look: EmblemLook, standIns: [ComponentContent],
        loader: (any AsyncEmblemImageLoader)?, theme: Theme?, decoding: Decoding? = nil,
        renderers: Int = 1, bytesLimit: Int = .max, badgeCorner: Badge.Corner = .topRight,
        observer: (any EmblemObserver)? = nil
    ) {
        let loader = loader ?? DesignSystem.shared.emblemImageLoader
        let renderer = EmblemRenderer.inForce(theme)
        var settings = RunSettings(
            component, look, theme: renderer.theme.tokens, renderers: renderers,
            bytesLimit: bytesLimit)
        settings.recipe.placeholder = look.fault == nil ? .usual(for: component) : .none
        let backend = LibraryBackend(renderer, decoding)
        context = RunContext(
            settings: settings, backend: backend,
            standIns: look.fault == nil
                ? standIns.map { GivenContent(content: .success($0), loader: loader) } : [],
            confinement: { backend.confinement })
        self.look = look
        self.badgeCorner = badgeCorner
        self.loader = loader
        self.observer = observer ?? DesignSystem.shared.observer
    }

    /// Makes what one item shall show, and tells the observer.
    ///
    /// - Parameters:
    ///   - content: what that is; a failure where it is known that there is none.
    ///   - index: the item's place in a batch; nothing but the observer looks at one without.
    ///   - start: how it stands to others in the batch.
    /// - Returns: nothing for the item when the task was cancelled; what others with its source can
    ///   go by.
    func make(
        _ content: Result<ComponentContent, any Error>, of item: EmblemItem, at index: Int? = nil,
        _ start: LookAhead.Start? = nil
    ) async -> (made: MadeItem?, shared: SharedResult?) {
        let notes = observer.map { _ in LoadNotes() }
        var content = content
        if let fault = look.fault { content = .failure(fault) }
        var row = ListRow(line: 0, offset: 0)
        // What stands in for a component that stands alone is all said.
        if index != nil { row.label = item.label }
        var work = BatchItem(
            index: index ?? 0, row: row,
            picture: .held(by: GivenContent(content: content, loader: loader, notes: notes)))
        work.settledRecipe = recipe(of: item, isAlone: index == nil)
        let sink = PictureSink()
        let end = await Job(context).run(work, sharing: start?.shared, into: sink)
        guard end.record.status != .canceled else { return (nil, end.shared) }
        let isFollower = start?.ticket.isFollower ?? false
        let made = MadeItem(item, index, content, end, sink.images, isFollower)
        if let notes { observer?.finished(EmblemReport(made, end.clock, notes)) }
        return (made, end.shared)
    }

    /// Makes the one component that there is.
    func make(
        _ content: Result<ComponentContent, any Error>, of item: EmblemItem
    ) async throws(CancellationError) -> MadeItem {
        guard let made = await make(content, of: item, at: nil).made else {
            throw CancellationError()
        }
        return made
    }

    /// The look of all with what an item of a batch has of its own.
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

/// What came of one item.
struct MadeItem: Sendable {
    /// `nil` for a component that stands alone.
    let index: Int?
    let item: EmblemItem
    /// Empty where nothing at all could be drawn.
    let images: [RenderedImage]
    let error: (any Error)?
    let lint: [String]
    /// Which of the stand-ins that were given is shown.
    let standIn: Int?
    /// What stands in, as records name it.
    let placeholder: String
    /// It is what another item shows, and was made for that one.
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
        standIn = end.standIn
        placeholder = end.record.placeholder ?? ""
        isShared = isFollower && !end.clock.laps.contains { $0.step == .compose }
    }
}

extension RunSettings {
    /// Those of a run of the library, whose loaders and decoding have patience of their own.
    ///
    /// - Parameter bytesLimit: of sources that wait to be drawn; what decoding takes is held by the
    ///   whole library.
    init(
        _ component: Component, _ look: EmblemLook, layouts: [ComponentLayout] = [],
        schemes: [ColorScheme] = [], scales: [Double] = [], theme: Theming.Theme, renderers: Int,
        bytesLimit: Int
    ) {
        self.init(
            component, layouts: layouts, schemes: schemes.map(\.value), scales: scales,
            theme: theme, jobs: min(max(1, renderers), 1 << 16),
            memoryBytes: min(max(1, bytesLimit), 1 << 40) * 16)
        recipe = look.recipe
        network.itemTimeout = .seconds(1 << 30)
        renderTimeout = .seconds(1 << 30)
    }
}

/// Keeps the pictures of one item as they are.
private final class PictureSink: OutputSink {
    private let held = Mutex<[RenderedImage]>([])
    var images: [RenderedImage] { held.withLock { $0 } }
    var isOnePlace: Bool { false }

    func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord] {
        held.withLock { $0 = images }
        return []
    }
}
