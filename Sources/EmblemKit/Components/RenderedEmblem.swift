import Artwork
import Render
import Theming

/// A finished emblem: background, picture and rounded corners.
///
/// On Apple's systems this is what a view shows; here it is a picture with words about it.
public struct RenderedEmblem: Sendable {
    /// Its size in points.
    public let layout: Emblem.Layout
    /// Pixels a point.
    public let scale: Double
    /// The screens that it is for.
    public let scheme: ColorScheme
    /// The emblem itself; `image.pngData()` is its file.
    public let image: Image
    /// Why it shows the placeholder; `nil` where it shows its picture.
    public let error: (any Error)?

    /// It shows the placeholder, in the very style of the picture that is missing.
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
