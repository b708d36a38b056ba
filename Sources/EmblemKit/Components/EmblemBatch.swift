import Artwork
import FoundationEssentials
import Theming

/// A batch that makes emblems for many items concurrently.
///
/// ```swift
/// var batch = EmblemBatch(urls: logos)
/// batch.layouts = [.small, .large]
/// batch.scales = [1, 2]
/// for await outcome in batch {
///     let sizes = outcome.emblems.map { "\($0.image.width)" }
///     print(outcome.index, outcome.status, sizes.joined(separator: " "))
/// }
/// ```
///
/// A source is read when fewer than ``BatchOptions/concurrency`` sources are in progress. A list may therefore
/// be larger than memory, and a slow consumer slows the batch down. Outcomes arrive as they are
/// ready; `index` is the position of the source. A source that cannot be shown yields an outcome
/// with the placeholder, never an error of the batch.
///
/// A batch accepts URLs, sources, ``EmblemItem``s with their own colours and badges, or any type
/// that conforms to `EmblemItemConvertible`.
///
/// Each iteration over the batch is a separate run. If the iterating task is cancelled, the
/// sequence ends after all work of the run has stopped. Leaving the loop early ends the run too.
///
/// A run, including the loader, executes on the library's own threads. Other tasks of the program
/// continue meanwhile.
@dynamicMemberLookup
public struct EmblemBatch<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    /// The sources of the images.
    public let sources: Sources
    /// The sizes of each emblem. If there is no layout, scale or scheme, every outcome is `failed`.
    public var layouts: [Emblem.Layout] = [.medium]
    /// The fallback for images that cannot be loaded.
    public var placeholder = ImageSource.icon(.accountBalance)
    /// The colours of emblems whose item has no appearance.
    public var appearance = Emblem.Appearance.brand
    /// The rule for how images fill their emblems.
    public var contentMode = ContentMode.fit
    /// The settings that batches of avatars have too.
    public var options = BatchOptions()

    /// Creates a batch from an asynchronous sequence of sources.
    public init(_ sources: Sources) {
        self.sources = sources
    }

    /// Creates a batch from a sequence of sources in memory.
    public init<Known: Sequence & Sendable>(_ sources: Known)
    where Sources == KnownSources<Known> {
        self.init(KnownSources(base: sources))
    }

    /// Creates a batch from URLs. A missing URL yields the placeholder.
    public init(urls: [URL?]) where Sources == KnownSources<[ImageSource]> {
        self.init(urls.map { ImageSource.remote(url: $0) })
    }

    /// One of the ``options``.
    public subscript<Value>(dynamicMember path: WritableKeyPath<BatchOptions, Value>) -> Value {
        get { options[keyPath: path] }
        set { options[keyPath: path] = newValue }
    }

    /// The number of outcomes; `nil` if it is not known in advance, as with a stream.
    public var total: Int? { (sources as? any CountedSources)?.knownCount }

    var drawing: ItemDrawing {
        ItemDrawing(
            component: .emblem, layouts: layouts.map { .emblem($0) }, options: options,
            appearance: appearance, contentMode: contentMode, fallbacks: [.source(placeholder)])
    }
}

/// An asynchronous sequence over sources in memory.
public struct KnownSources<Base: Sequence & Sendable>: AsyncSequence, Sendable
where Base.Element: EmblemItemConvertible {
    let base: Base

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeIterator())
    }

    /// The iterator over the sources.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: Base.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? {
            base.next()
        }
    }
}

extension EmblemBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: BatchIterator(sources, drawing))
    }

    /// The iterator of one run of the batch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: BatchIterator<Sources>

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> EmblemOutcome? {
            try await base.next(isolation: actor).map { made, progress in
                EmblemOutcome(
                    made, progress,
                    made.images.compactMap { RenderedEmblem($0, error: made.error) })
            }
        }
    }
}

/// The iterator of one run of a batch of emblems or avatars.
struct BatchIterator<Sources: AsyncSequence & Sendable>
where Sources.Element: EmblemItemConvertible {
    /// A run in progress, and the stream of its outcomes.
    private struct Run {
        let task: OwnedTask<Void, Never>
        var deliveries: AsyncStream<BatchWalk<Sources>.Delivery>.AsyncIterator

        init(_ sources: Sources, _ drawing: ItemDrawing) {
            // The number of elements in the stream is bounded, because each outcome holds a permit.
            let (stream, end) = AsyncStream.makeStream(of: BatchWalk<Sources>.Delivery.self)
            let walk = BatchWalk(sources, drawing, end)
            task = OwnedTask(Task(executorPreference: Executors.batches) { await walk.run() })
            deliveries = stream.makeAsyncIterator()
        }
    }

    private let sources: Sources
    private let drawing: ItemDrawing
    private var run: Run?
    private var isOver = false
    private var progress: BatchProgress

    init(_ sources: Sources, _ drawing: ItemDrawing) {
        self.sources = sources
        self.drawing = drawing
        progress = BatchProgress(total: (sources as? any CountedSources)?.knownCount)
    }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws(Sources.Failure) -> (MadeItem, BatchProgress)? {
        guard !isOver else { return nil }
        var run = self.run ?? Run(sources, drawing)
        let task = run.task.task
        // Cancel the run at once, not only when the iterating task runs again. Callers that wait
        // for this run's workers may block the threads that the iterating task needs.
        let delivery = await withTaskCancellationHandler(
            operation: { await run.deliveries.next(isolation: actor) },
            onCancel: { task.cancel() }, isolation: actor)
        self.run = run
        if case .made(let made, _) = delivery, !Task.isCancelled {
            progress.count(made.status)
            return (made, progress)
        }
        isOver = true
        // The sequence ends only after the run has ended.
        task.cancel()
        await task.value
        self.run = nil
        if case .broken(let error) = delivery, !Task.isCancelled { throw error }
        return nil
    }
}

/// A task that is cancelled when its last owner is released.
final class OwnedTask<Value: Sendable, Failure: Error>: Sendable {
    let task: Task<Value, Failure>

    init(_ task: Task<Value, Failure>) {
        self.task = task
    }

    deinit { task.cancel() }
}

/// The progress of a batch run, counted by the outcomes that were delivered.
public struct BatchProgress: Hashable, Sendable {
    /// The number of outcomes delivered so far, including this one.
    public private(set) var finished = 0
    /// The number of delivered outcomes that show a placeholder.
    public private(set) var placeholders = 0
    /// The number of delivered outcomes for which nothing could be drawn.
    public private(set) var failed = 0
    /// The number of all outcomes; `nil` if it is not known in advance, as with a stream.
    public let total: Int?

    init(total: Int?) {
        self.total = total
    }

    /// The progress from 0 to 1, if the total is known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(finished) / Double($0)) : 1 }
    }

    mutating func count(_ status: BatchStatus) {
        finished += 1
        switch status {
        case .ok: break
        case .placeholder: placeholders += 1
        case .failed: failed += 1
        }
    }
}

extension BatchProgress: CustomStringConvertible {
    public var description: String { total.map { "\(finished) of \($0)" } ?? "\(finished)" }
}

/// Sources whose number of items may be known in advance.
protocol CountedSources {
    var knownCount: Int? { get }
}

extension KnownSources: CountedSources {
    var knownCount: Int? { (base as? any Collection)?.count }
}

/// An item of a batch: a source with its own id, label, colours and badge.
///
/// ```swift
/// let items = merchants.map { merchant in
///     EmblemItem(
///         url: merchant.logo, id: merchant.id, label: merchant.name,
///         badge: merchant.news > 0 ? Badge(text: "\(merchant.news)") : nil)
/// }
/// ```
public struct EmblemItem: Hashable, Sendable {
    /// The source of the image.
    public var source: ImageSource
    /// The program's identifier for the item; the outcome returns it.
    public var id: String?
    /// The name of the person or thing shown, such as the name of a merchant. An avatar takes
    /// initials from it.
    public var label: String?
    /// The purpose of the item for screen readers. A written batch has it in its manifest.
    public var hint: String?
    /// The current value of the item for screen readers, such as an amount.
    public var value: String?
    /// The colours of this emblem; `nil` uses the colours of the batch.
    public var appearance: Emblem.Appearance?
    /// The badge over a corner; `nil` uses the badge of the batch.
    public var badge: Badge?

    /// Creates an item from any kind of source.
    public init(
        source: ImageSource, id: String? = nil, label: String? = nil, hint: String? = nil,
        value: String? = nil, appearance: Emblem.Appearance? = nil, badge: Badge? = nil
    ) {
        self.source = source
        self.id = id
        self.label = label
        self.hint = hint
        self.value = value
        self.appearance = appearance
        self.badge = badge
    }

    /// Creates an item whose image is at `url`. Without a URL it shows the placeholder.
    public init(
        url: URL?, id: String? = nil, label: String? = nil, hint: String? = nil,
        value: String? = nil, appearance: Emblem.Appearance? = nil, badge: Badge? = nil
    ) {
        self.init(
            source: .remote(url: url), id: id, label: label, hint: hint, value: value,
            appearance: appearance, badge: badge)
    }
}

/// A type that a batch accepts: an item, a source, or a custom type that describes an item.
public protocol EmblemItemConvertible {
    /// The item that a batch draws for this value.
    var emblemItem: EmblemItem { get }
}

extension EmblemItem: EmblemItemConvertible {
    public var emblemItem: EmblemItem { self }
}

extension ImageSource: EmblemItemConvertible {
    /// An item that has only a source.
    public var emblemItem: EmblemItem { EmblemItem(source: self) }
}
