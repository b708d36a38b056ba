import System
import Theming

/// Badges that were drawn before: in a batch most items wear the same.
package final class BadgeCache: Sendable {
    private struct Key: Hashable {
        let badge: Badge
        let style: BadgeStyle
    }

    private let pictures = BoundedCache<Key, SketchPicture>(countLimit: 128)

    package init() {}

    func picture(of badge: Badge, _ style: BadgeStyle) throws(ArtworkError) -> SketchPicture {
        try pictures.value(for: Key(badge: badge, style: style)) { () throws(ArtworkError) in
            SketchPicture(try badge.sketch(style).pixels(scale: style.scale))
        }
    }
}
