import Synchronization
import Theming

/// Badges that were drawn before: in a batch most items wear the same.
///
/// Holds no more than a few hundred small pictures.
package final class BadgeShelf: Sendable {
    private struct Key: Hashable {
        let badge: Badge
        let style: BadgeStyle
    }

    private static let bound = 128
    private let kept = Mutex<[Key: SketchPicture]>([:])

    package init() {}

    func picture(
        of badge: Badge, _ style: BadgeStyle
    ) throws(ArtworkError) -> SketchPicture {
        let key = Key(badge: badge, style: style)
        if let picture = kept.withLock({ $0[key] }) { return picture }
        let sketch = try badge.sketch(style)
        let picture = SketchPicture(try sketch.pixels(scale: style.scale))
        kept.withLock { kept in
            if kept.count >= Self.bound { kept.removeAll(keepingCapacity: true) }
            kept[key] = picture
        }
        return picture
    }
}
