/// A finished emblem: background, picture and rounded corners.
public struct RenderedEmblem: Sendable {
    /// Its size in points.
    public let layout: Emblem.Layout
    /// Pixels a point.
    public let scale: Double
    /// The emblem itself; `image.pngData()` is its file.
    public let image: Image
    /// Why it shows the placeholder; `nil` where it shows its picture.
    public internal(set) var error: (any Error)?

    /// It shows the placeholder, in the very style of the picture that is missing.
    public var isPlaceholder: Bool { error != nil }
}
