import Artwork
import Render
import Theming

/// The result of one item of a batch of emblems.
public typealias EmblemOutcome = BatchOutcome<RenderedEmblem>

/// The result of one item of a batch of avatars. Its status is `placeholder` if initials or the icon
/// are shown instead of the photo.
public typealias AvatarOutcome = BatchOutcome<RenderedAvatar>

/// The status of an item of a batch, with the same names as in the tool's manifest.
public enum BatchStatus: String, Hashable, Sendable {
    /// The drawings show the image of the source.
    case ok
    /// The drawings show the placeholder; the error gives the reason.
    case placeholder
    /// Nothing could be drawn, not even the placeholder.
    case failed
}

/// The result of one item of a batch.
public struct BatchOutcome<Drawing: Sendable>: Sendable {
    /// The status of an item of a batch.
    public typealias Status = BatchStatus

    /// The index of the item in the batch, from 0.
    public let index: Int
    /// The item as it was given.
    public let item: EmblemItem
    /// The status of the item.
    public let status: BatchStatus
    /// The reason why the image is not shown; `nil` if the status is `ok`.
    public let error: (any Error)?
    /// Warnings about the image as in the manifest, such as `low-contrast:light`; see <doc:Logos>.
    /// Empty if the image is not shown.
    public let lint: [String]
    /// The progress of the run, including this item.
    public let progress: BatchProgress
    let drawings: [Drawing]

    init(_ made: MadeItem, _ progress: BatchProgress, _ drawings: [Drawing]) {
        index = made.index ?? 0
        item = made.item
        error = made.error
        status = made.status
        lint = made.lint
        self.progress = progress
        self.drawings = drawings
    }

    /// The source as it was given.
    public var source: ImageSource { item.source }
}

extension BatchOutcome<RenderedEmblem> {
    /// Every layout at every scale in every scheme, ordered by layout, scale, scheme. Empty if the
    /// status is `failed`.
    public var emblems: [RenderedEmblem] { drawings }

    /// Returns the emblem for a layout, scale and scheme, or `nil` if the batch does not make it.
    public func emblem(
        _ layout: Emblem.Layout, scale: Double = 1, scheme: ColorScheme = .light
    ) -> Image? {
        emblems.first {
            $0.layout == layout && $0.scale == scale && $0.scheme == scheme
        }?.image
    }
}

extension BatchOutcome<RenderedAvatar> {
    /// Every layout at every scale in every scheme, ordered by layout, scale, scheme. Empty if the
    /// status is `failed`.
    public var avatars: [RenderedAvatar] { drawings }

    /// Returns the avatar for a layout, scale and scheme, or `nil` if the batch does not make it.
    public func avatar(
        _ layout: Avatar.Layout, scale: Double = 1, scheme: ColorScheme = .light
    ) -> Image? {
        avatars.first {
            $0.layout == layout && $0.scale == scale && $0.scheme == scheme
        }?.image
    }
}

/// A finished emblem: background, image and rounded corners.
public struct RenderedEmblem: Sendable {
    /// The size of the emblem.
    public let layout: Emblem.Layout
    /// Pixels per point.
    public let scale: Double
    /// The screen scheme of the emblem.
    public let scheme: ColorScheme
    /// The emblem as an image; `image.pngData()` is its file.
    public let image: Image
    /// The reason for the placeholder; `nil` if the emblem shows its image.
    public let error: (any Error)?

    /// Whether the emblem shows the placeholder, in the style of the missing image.
    public var isPlaceholder: Bool { error != nil }

    init?(_ drawn: RenderedImage, error: (any Error)?) {
        guard case .emblem = drawn.variant.layout,
            let layout = Emblem.Layout(rawValue: drawn.variant.layout.name)
        else { return nil }
        self.layout = layout
        scale = drawn.variant.scale
        scheme = drawn.variant.scheme
        image = Image(drawn)
        self.error = error
    }
}
