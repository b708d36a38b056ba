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
/// A source is read when fewer than ``concurrency`` sources are in progress. A list may therefore
/// be larger than memory, and a slow consumer slows the batch down. Outcomes arrive as they are
/// ready; `index` is the position of the source. A source that cannot be shown yields an outcome
/// with the placeholder, never an error of the batch.
///
/// A batch accepts URLs, sources, ``EmblemItem``s with their own colours and badges, or any type
/// that is ``EmblemItemConvertible``.
///
/// Each iteration over the batch is a separate run. If the iterating task is cancelled, the
/// sequence ends after all work of the run has stopped. Leaving the loop early ends the run too.
///
/// A run, including the loader, executes on the library's own threads. Other tasks of the program
/// continue meanwhile.
public struct EmblemBatch<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    /// The sources of the images.
    public let sources: Sources
    /// The sizes of each emblem. If there is no layout, scale or scheme, every outcome is `failed`.
    public var layouts: [Emblem.Layout] = [.medium]
    /// The scales in pixels per point, from 0.5 to 4. With another value every outcome is `failed`.
    public var scales: [Double] = [1]
    /// The screen schemes to draw for.
    public var schemes: [ColorScheme] = [.light]
    /// The fallback for images that cannot be loaded.
    public var placeholder = ImageSource.icon(.accountBalance)
    /// The colours of emblems whose item has no appearance.
    public var appearance = Emblem.Appearance.brand
    /// The rule for how images fill their emblems.
    public var contentMode = ContentMode.fit
    /// A preset for one kind of image, such as logos.
    public var look = Emblem.Look.plain
    /// The position and size of images in their emblems: padding, border, margins, size,
    /// background.
    public var fitting = Emblem.Fitting()
    /// A badge over a corner of every emblem whose item has no badge. A badge without a visible
    /// character is omitted.
    public var badge: Badge?
    /// The corner that badges cover.
    public var badgeCorner = Badge.Corner.topRight
    /// The loader of this batch; `nil` uses the loader of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?
    /// The time limit for one load of a custom loader, like ``AsyncEmblem/timeout``.
    public var timeout = Duration.seconds(30)
    /// The theme of this batch; `nil` uses ``Theme/current`` at the time when the first outcome is
    /// requested.
    public var theme: Theme?
    /// The number of sources in progress at once, including outcomes that are not yet delivered.
    public var concurrency = 64
    /// The limit for loaded images that wait to be drawn, in bytes. No load starts beyond it.
    ///
    /// The memory for decoding is limited separately, for the whole library.
    public var bytesLimit = 128 << 20

    /// The number of images of this batch drawn at once. The default is slightly more than the
    /// number of cores, because a worker's core is idle while its reply is being read. The default
    /// is also the limit for all decoding of the library together.
    public var renderers = EmblemBatchDefaults.renderers
    /// The isolation and the limits for decoding images of this batch; `nil` uses the setting of
    /// the ``DesignSystem``.
    public var decoding: Decoding?
    /// The observer of every item; `nil` uses the observer of the ``DesignSystem``.
    public var observer: (any EmblemObserver)?
    /// The avatar sizes, if the batch makes avatars instead of emblems.
    var avatars: [Avatar.Layout]?

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

    /// The number of outcomes; `nil` if it is not known in advance, as with a stream.
    public var total: Int? { (sources as? any CountedSources)?.knownCount }

    var component: Component { avatars == nil ? .emblem : .avatar }

    var componentLayouts: [ComponentLayout] {
        avatars?.map { .avatar($0.value) } ?? layouts.map { .emblem($0.value) }
    }

    /// All properties of the emblems or avatars except their content.
    var emblemLook: EmblemLook {
        var look = EmblemLook(layouts: componentLayouts, scales: scales, schemes: schemes)
        look.appearance = appearance
        look.contentMode = avatars == nil ? contentMode : .fill
        look.preset = self.look
        look.fitting = fitting
        look.badge = badge?.mark(badgeCorner)
        return look
    }
}

enum EmblemBatchDefaults {
    static let renderers = Workers.count
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

        public mutating func next() async -> Base.Element? {
            base.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? {
            base.next()
        }
    }
}

extension EmblemBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(batch: self)
    }

    /// The iterator of one run of the batch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let batch: EmblemBatch
        private var walk: Walk?
        private var isOver = false
        private var progress: BatchProgress

        init(batch: EmblemBatch) {
            self.batch = batch
            progress = BatchProgress(total: batch.total)
        }

        public mutating func next() async throws(Sources.Failure) -> EmblemOutcome? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> EmblemOutcome? {
            try await nextResult(isolation: actor).map { EmblemOutcome($0, $1) }
        }

        mutating func nextResult(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> (MadeItem, BatchProgress)? {
            guard !isOver else { return nil }
            var walk = self.walk ?? Walk(batch)
            let run = walk.run
            // Cancel the run at once, not only when the iterating task runs again. Callers that
            // wait for this run's workers may block the threads that the iterating task needs.
            let delivery = await withTaskCancellationHandler(
                operation: { await walk.deliveries.next(isolation: actor) },
                onCancel: { run.task.cancel() }, isolation: actor)
            self.walk = walk
            if case .made(let made, _) = delivery, !Task.isCancelled {
                progress.count(made.status)
                return (made, progress)
            }
            isOver = true
            // The sequence ends only after the run has ended.
            walk.run.task.cancel()
            await walk.run.task.value
            self.walk = nil
            if case .broken(let error) = delivery, !Task.isCancelled { throw error }
            return nil
        }
    }

    /// A run in progress, and the stream of its outcomes.
    private struct Walk {
        let run: OwnedTask<Void, Never>
        var deliveries: AsyncStream<BatchWalk<Sources>.Delivery>.AsyncIterator

        init(_ batch: EmblemBatch) {
            // The number of elements in the stream is bounded, because each outcome holds a permit.
            let (stream, end) = AsyncStream.makeStream(of: BatchWalk<Sources>.Delivery.self)
            let walk = BatchWalk(batch, end)
            run = OwnedTask(Task(executorPreference: Executors.batches) { await walk.run() })
            deliveries = stream.makeAsyncIterator()
        }
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

    mutating func count(_ status: EmblemOutcome.Status) {
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
