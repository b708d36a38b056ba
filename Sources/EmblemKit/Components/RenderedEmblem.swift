import Artwork
import Render
import Theming

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
        scheme = drawn.variant.scheme == .dark ? .dark : .light
        image = Image(drawn)
        self.error = error
    }
}
