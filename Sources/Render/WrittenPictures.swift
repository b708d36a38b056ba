import Artwork
import Codecs

/// The images of a rendering that were already encoded, so that equal pixels are encoded once: a
/// large emblem at 1.5 equals a medium one at 2.
struct WrittenPictures {
    private struct Key: Hashable {
        let style: EmblemStyle
        let settings: EncodeSettings
    }

    private var indices: [Key: Int] = [:]
    /// The sizes of a badge are in points, so with a badge equal pixel sizes do not imply equal
    /// images.
    private let sharesSizes: Bool

    init(_ recipe: Recipe) { sharesSizes = recipe.badge == nil }

    /// Returns the index of the equal image; if there is none, returns nil and stores `next` for
    /// this one.
    mutating func index(of style: EmblemStyle, _ settings: EncodeSettings, next: Int) -> Int? {
        let key = Key(style: sharesSizes ? style.inPixels : style, settings: settings)
        if let known = indices[key] { return known }
        indices[key] = next
        return nil
    }
}

extension Variant {
    /// Returns whether both variants have the same pixels, in any format.
    func showsSame(as other: Variant) -> Bool {
        layout == other.layout && scale == other.scale && scheme == other.scheme
    }
}
