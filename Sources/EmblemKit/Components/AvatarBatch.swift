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
@dynamicMemberLookup
public struct AvatarBatch<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    /// The items of the batch.
    public let sources: Sources
    /// The sizes of each avatar.
    public var layouts = Avatar.Layout.allCases
    /// The settings that batches of emblems have too. The look of avatars is `plain` by default.
    public var options = BatchOptions.avatars

    /// Creates a batch from an asynchronous sequence of items.
    public init(_ sources: Sources) {
        self.sources = sources
    }

    /// Creates a batch from a sequence of items in memory.
    public init<Known: Sequence & Sendable>(_ items: Known)
    where Sources == KnownSources<Known> {
        self.init(KnownSources(base: items))
    }

    /// One of the ``options``.
    public subscript<Value>(dynamicMember path: WritableKeyPath<BatchOptions, Value>) -> Value {
        get { options[keyPath: path] }
        set { options[keyPath: path] = newValue }
    }

    /// The number of outcomes; `nil` if it is not known in advance, like ``EmblemBatch/total``.
    public var total: Int? { (sources as? any CountedSources)?.knownCount }

    var drawing: ItemDrawing {
        ItemDrawing(
            component: .avatar, layouts: layouts.map { .avatar($0) }, options: options)
    }
}

extension AvatarBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: BatchIterator(sources, drawing))
    }

    /// The iterator of one run of the batch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: BatchIterator<Sources>

        public mutating func next() async throws(Sources.Failure) -> AvatarOutcome? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> AvatarOutcome? {
            try await base.next(isolation: actor).map { AvatarOutcome($0, $1) }
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
        guard case .letters(let initials)? = PlaceholderChoice(spelling: made.placeholder) else {
            return .icon
        }
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
