import Render

/// What came of one source of a batch.
public struct EmblemOutcome: Sendable {
    /// How an item of a batch ended; the words are those of the tool's manifest.
    public enum Status: String, Hashable, Sendable {
        /// The emblems show the picture of the source.
        case ok
        /// The emblems show the placeholder; the error says why.
        case placeholder
        /// Nothing could be drawn, not even the placeholder.
        case failed
    }

    /// The place of the source in the batch, from 0.
    public let index: Int
    /// The item as it was given.
    public let item: EmblemItem
    /// Whether its picture is shown.
    public let status: Status
    /// Every layout at every scale in every scheme, layouts first and schemes last; empty when the
    /// status is `failed`.
    public let emblems: [RenderedEmblem]
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
        emblems = made.images.compactMap { RenderedEmblem($0, error: made.error) }
        error = made.error
        status = made.status
        lint = made.lint
        self.progress = progress
    }

    /// The source as it was given.
    public var source: ImageSource { item.source }

    /// The emblem of a layout at a scale, where the batch makes it.
    public func emblem(
        _ layout: Emblem.Layout, scale: Double = 1, scheme: ColorScheme = .light
    ) -> Image? {
        emblems.first {
            $0.layout == layout && $0.scale == scale && $0.scheme == scheme
        }?.image
    }
}
