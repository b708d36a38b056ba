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

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> AvatarOutcome? {
            try await base.next(isolation: actor).map { made, progress in
                let shown = made.shownAppearance
                return AvatarOutcome(
                    made, progress,
                    made.images.compactMap { RenderedAvatar($0, shown, error: made.error) })
            }
        }
    }
}

extension MadeItem {
    /// The content that an avatar shows.
    fileprivate var shownAppearance: Avatar.Appearance {
        guard error != nil else { return .image(item.source) }
        guard case .letters(let initials)? = PlaceholderChoice(spelling: placeholder) else {
            return .icon
        }
        return .initials(initials.text)
    }
}
