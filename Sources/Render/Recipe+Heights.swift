import Artwork
import Theming

extension Recipe {
    /// Whether two emblems of different look have the same height in pixels.
    func repeatsHeights(in theme: Theme) -> Bool {
        guard variants.count > 1 else { return false }
        var heights: Set<Int> = []
        var last: Variant?
        for variant in variants {
            // Formats of one look follow each other, and share its pixels.
            if let last, variant.showsSame(as: last) { continue }
            last = variant
            let height = style(for: variant, in: theme).height
            guard heights.insert(height).inserted else { return true }
        }
        return false
    }
}
