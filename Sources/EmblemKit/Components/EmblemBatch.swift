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
/// Sources are read when there is room, so a list may be larger than memory, and a slow consumer
/// slows the batch down. Outcomes arrive as they are ready; `index` is the position of the source.
/// A source that cannot be shown yields an outcome with the placeholder, never an error of the
/// batch.
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
    /// The place where images of this batch are decoded; `nil` uses the setting of the
    /// ``DesignSystem``.
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

    /// The number of outcomes, if the sources know it.
    public var total: Int? { (sources as? any CountedSources)?.knownCount }

    var component: Component { avatars == nil ? .emblem : .avatar }

    var componentLayouts: [ComponentLayout] {
        avatars?.map { .avatar($0.value) } ?? layouts.map { .emblem($0.value) }
    }

    var wholeLook: EmblemLook {
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
