import Artwork
import FoundationEssentials
import Render

/// A batch that makes avatars concurrently: the photo of each item, or the initials of its label,
/// or the profile icon.
///
/// ```swift
/// var batch = AvatarBatch(people.map { EmblemItem(url: $0.portrait, label: $0.name) })
/// batch.layouts = [.small, .large]
/// for await outcome in batch {
///     print(outcome.progress, outcome.status, outcome.avatars.map(\.image.width))
/// }
/// ```
///
/// All other behaviour is that of ``EmblemBatch``. The appearances of items have no effect on
/// avatars.
public struct AvatarBatch<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    var base: EmblemBatch<Sources>

    /// The sizes of each avatar.
    public var layouts = Avatar.Layout.allCases

    /// Creates a batch from an asynchronous sequence of items.
    public init(_ sources: Sources) {
        base = EmblemBatch(sources)
    }

    /// Creates a batch from a sequence of items in memory.
    public init<Known: Sequence & Sendable>(_ items: Known)
    where Sources == KnownSources<Known> {
        base = EmblemBatch(items)
    }

    /// The items of the batch.
    public var sources: Sources { base.sources }

    /// The number of outcomes; `nil` if it is not known in advance, like ``EmblemBatch/total``.
    public var total: Int? { base.total }

    /// The scales in pixels per point, from 0.5 to 4. With another value every outcome is `failed`.
    public var scales: [Double] {
        get { base.scales }
        set { base.scales = newValue }
    }

    /// The screen schemes to draw for.
    public var schemes: [ColorScheme] {
        get { base.schemes }
        set { base.schemes = newValue }
    }

    /// A preset for one kind of image, like ``EmblemBatch/look``.
    public var look: Emblem.Look {
        get { base.look }
        set { base.look = newValue }
    }

    /// The position and size of images in their circles.
    public var fitting: Emblem.Fitting {
        get { base.fitting }
        set { base.fitting = newValue }
    }

    /// A badge over the edge of every avatar whose item has no badge.
    public var badge: Badge? {
        get { base.badge }
        set { base.badge = newValue }
    }

    /// The corner of the square that badges cover.
    public var badgeCorner: Badge.Corner {
        get { base.badgeCorner }
        set { base.badgeCorner = newValue }
    }

    /// The theme of this batch, like ``EmblemBatch/theme``.
    public var theme: Theme? {
        get { base.theme }
        set { base.theme = newValue }
    }

    /// The loader of this batch; `nil` uses the loader of the ``DesignSystem``.
    public var loader: (any AsyncEmblemImageLoader)? {
        get { base.loader }
        set { base.loader = newValue }
    }

    /// The time limit for one load of a custom loader, like ``AsyncEmblem/timeout``.
    public var timeout: Duration {
        get { base.timeout }
        set { base.timeout = newValue }
    }

    /// The observer of every item; `nil` uses the observer of the ``DesignSystem``.
    public var observer: (any EmblemObserver)? {
        get { base.observer }
        set { base.observer = newValue }
    }

    /// The number of items in progress at once, like ``EmblemBatch/concurrency``.
    public var concurrency: Int {
        get { base.concurrency }
        set { base.concurrency = newValue }
    }

    /// The limit for loaded images that wait to be drawn, in bytes, like
    /// ``EmblemBatch/bytesLimit``.
    public var bytesLimit: Int {
        get { base.bytesLimit }
        set { base.bytesLimit = newValue }
    }

    /// The number of images of this batch drawn at once, like ``EmblemBatch/renderers``.
    public var renderers: Int {
        get { base.renderers }
        set { base.renderers = newValue }
    }

    /// The isolation and the limits for decoding images of this batch; `nil` uses the setting of
    /// the ``DesignSystem``.
    public var decoding: Decoding? {
        get { base.decoding }
        set { base.decoding = newValue }
    }
}

extension AvatarBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        var base = base
        base.avatars = layouts
        return AsyncIterator(base: base.makeAsyncIterator())
    }

    /// The iterator of one run of the batch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: EmblemBatch<Sources>.AsyncIterator

        public mutating func next() async throws(Sources.Failure) -> AvatarOutcome? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> AvatarOutcome? {
            try await base.nextResult(isolation: actor).map { AvatarOutcome($0, $1) }
        }
    }
}

/// The result of one item of a batch of avatars.
public struct AvatarOutcome: Sendable {
    /// The index of the item in the batch, from 0.
    public let index: Int
    /// The item as it was given.
    public let item: EmblemItem
    /// The status of the item; `placeholder` if initials or the icon are shown instead of the
    /// photo.
    public let status: EmblemOutcome.Status
    /// Every layout at every scale in every scheme, ordered by layout, scale, scheme. Empty if the
    /// status is `failed`.
    public let avatars: [RenderedAvatar]
    /// The reason why the photo is not shown; `nil` if the status is `ok`.
    public let error: (any Error)?
    /// Warnings about the image as in the manifest, such as `low-contrast:light`; see <doc:Logos>.
    /// Empty if the image is not shown.
    public let lint: [String]
    /// The progress of the run, including this item.
    public let progress: BatchProgress

    init(_ made: MadeItem, _ progress: BatchProgress) {
        index = made.index ?? 0
        item = made.item
        status = made.status
        lint = made.lint
        error = made.error
        self.progress = progress
        let shown: Avatar.Appearance =
            made.error == nil ? .image(made.item.source) : Self.fallback(of: made)
        avatars = made.images.compactMap { RenderedAvatar($0, shown, error: made.error) }
    }

    private static func fallback(of made: MadeItem) -> Avatar.Appearance {
        guard
            case .value(.letters(let initials))? = try? PlaceholderChoice.reading(made.placeholder)
        else { return .icon }
        return .initials(initials.text)
    }

    /// Returns the avatar for a layout, scale and scheme, or `nil` if the batch does not make it.
    public func avatar(
        _ layout: Avatar.Layout, scale: Double = 1, scheme: ColorScheme = .light
    ) -> Image? {
        avatars.first {
            $0.layout == layout && $0.scale == scale && $0.scheme == scheme
        }?.image
    }
}
