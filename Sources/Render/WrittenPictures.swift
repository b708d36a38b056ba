import Artwork
import Codecs

/// Which pictures of a rendering were encoded already, so that equal pixels are encoded once: a large
/// emblem at 1.5 is a medium one at 2.
struct WrittenPictures {
    private struct Key: Hashable {
        let style: EmblemStyle
        let settings: EncodeSettings
    }

    private var indices: [Key: Int] = [:]
    /// A badge has a size in points, which equal pixels do not share.
    private let sharesSizes: Bool

    init(_ recipe: Recipe) { sharesSizes = recipe.badge == nil }

    /// Where the same picture stands; where it does not, `next` is its index from now on.
    mutating func index(of style: EmblemStyle, _ settings: EncodeSettings, next: Int) -> Int? {
        let key = Key(style: sharesSizes ? style.inPixels : style, settings: settings)
        if let known = indices[key] { return known }
        indices[key] = next
        return nil
    }
}

extension Variant {
    /// It shows the same pixels, whatever they are encoded as.
    func showsSame(as other: Variant) -> Bool {
        layout == other.layout && scale == other.scale && scheme == other.scheme
    }
}
