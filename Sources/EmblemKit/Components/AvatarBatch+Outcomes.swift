import Artwork
import Render

extension AvatarBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        var base = base
        base.avatars = layouts
        return AsyncIterator(base: base.makeAsyncIterator())
    }

    /// One run of the batch.
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

/// What came of one item of a batch of avatars.
public struct AvatarOutcome: Sendable {
    /// The place of the item in the batch, from 0.
    public let index: Int
    /// The item as it was given.
    public let item: EmblemItem
    /// Whether its picture is shown; `placeholder` where initials or the icon are.
    public let status: EmblemOutcome.Status
    /// Every layout at every scale in every scheme, layouts first and schemes last; empty when the
    /// status is `failed`.
    public let avatars: [RenderedAvatar]
    /// Why the picture is not shown; `nil` when the status is `ok`.
    public let error: (any Error)?
    /// What should be looked at of the picture, in the words of the manifest, such as
    /// `low-contrast:light`; <doc:Logos> says what each means. Empty where it is not shown.
    public let lint: [String]
    /// How far the run has come with it.
    public let progress: BatchProgress

    init(_ made: MadeItem, _ progress: BatchProgress) {
        index = made.index ?? 0
        item = made.item
        status = made.status
        lint = made.lint
        error = made.error
        self.progress = progress
        let shown: Avatar.Appearance =
            made.error == nil ? .image(made.item.source) : Self.standIn(of: made)
        avatars = made.images.compactMap { RenderedAvatar($0, shown, error: made.error) }
    }

    private static func standIn(of made: MadeItem) -> Avatar.Appearance {
        guard
            case .value(.letters(let initials))? = try? PlaceholderChoice.reading(made.placeholder)
        else { return .icon }
        return .initials(initials.text)
    }

    /// The avatar of a layout at a scale, where the batch makes it.
    public func avatar(
        _ layout: Avatar.Layout, scale: Double = 1, scheme: ColorScheme = .light
    ) -> Image? {
        avatars.first {
            $0.layout == layout && $0.scale == scale && $0.scheme == scheme
        }?.image
    }
}
