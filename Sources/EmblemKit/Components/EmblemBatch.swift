import Artwork
import FoundationEssentials
import Theming

/// Makes the emblems of many items, some at once.
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
/// Sources are asked for as there is room, so that a list may be longer than memory, and whoever
/// is slow to take outcomes slows the batch down. Outcomes come as they are ready; their `index`
/// is the place of the source. A source that cannot be shown is an outcome with the placeholder,
/// never an error of the batch.
///
/// A batch is made of URLs, of sources, of ``EmblemItem``s with colours and badges of their own, or
/// of a type of yours that is ``EmblemItemConvertible``.
///
/// Each walk along the batch is a run of its own. When the walking task is cancelled the sequence
/// ends, once nothing of the run is left under way; a walk that is left early ends its run too.
///
/// A run works on threads of the library's own, the loader's part included, so that the tasks of
/// the program go on beside it.
public struct EmblemBatch<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    /// Where pictures come from.
    public let sources: Sources
    /// The sizes in which each emblem is made. Where there is none, nor a scale or a scheme, every
    /// outcome is `failed`.
    public var layouts: [Emblem.Layout] = [.medium]
    /// Pixels a point, from 0.5 to 4; with another one every outcome is `failed`.
    public var scales: [Double] = [1]
    /// The screens that they are for.
    public var schemes: [ColorScheme] = [.light]
    /// What is shown in the place of a picture that cannot be loaded.
    public var placeholder = ImageSource.icon(.accountBalance)
    /// The colours that emblems wear whose item has none of its own.
    public var appearance = Emblem.Appearance.brand
    /// How pictures fill their emblems.
    public var contentMode = ContentMode.fit
    /// The settings for one kind of picture, such as logos.
    public var look = Emblem.Look.plain
    /// How pictures stand in their emblems: padding, border, margins, size, background.
    public var fitting = Emblem.Fitting()
    /// What lies over a corner of every emblem whose item has nothing of its own. One without a
    /// character that can be seen is left out.
    public var badge: Badge?
    /// The corner over which the badge lies.
    public var badgeCorner = Badge.Corner.topRight
    /// The loader of this batch; `nil` takes that of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)?
    /// The theme of this batch; `nil` takes the ``Theme/current`` one when its first outcome is asked
    /// for.
    public var theme: Theme?
    /// Sources under way at once, outcomes that nobody has taken yet included.
    public var concurrency = 64
    /// Bytes of pictures that are loaded and wait to be drawn; beyond it no load is begun.
    ///
    /// The memory that decoding takes is bounded apart from it, for the whole library.
    public var bytesLimit = 128 << 20

    /// Pictures of this batch that are drawn at once; by default a few more than the program has
    /// cores, since a worker whose answer is on its way leaves its core idle. All that the library
    /// decodes together is held by that number too.
    public var renderers = EmblemBatchDefaults.renderers
    /// Where the pictures of this batch are decoded; `nil` takes what the ``DesignSystem`` says.
    public var decoding: Decoding?
    /// Is told of every item; `nil` takes that of the ``DesignSystem``.
    public var observer: (any EmblemObserver)?
    /// Avatars in the place of emblems.
    var avatars: [Avatar.Layout]?

    /// A batch over sources that may themselves take time to come.
    public init(_ sources: Sources) {
        self.sources = sources
    }

    /// A batch over sources that are known already.
    public init<Known: Sequence & Sendable>(_ sources: Known)
    where Sources == KnownSources<Known> {
        self.init(KnownSources(base: sources))
    }

    /// A batch over URLs; the place of one that is missing shows the placeholder.
    public init(urls: [URL?]) where Sources == KnownSources<[ImageSource]> {
        self.init(urls.map { ImageSource.remote(url: $0) })
    }

    /// How many outcomes there will be, where the sources know.
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

/// Sources that are known already, one after the other.
public struct KnownSources<Base: Sequence & Sendable>: AsyncSequence, Sendable
where Base.Element: EmblemItemConvertible {
    let base: Base

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeIterator())
    }

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
