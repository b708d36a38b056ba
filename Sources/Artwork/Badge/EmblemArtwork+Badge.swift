import Raster
import System
import Theming

extension EmblemArtwork {
    package func badge(
        _ badge: Badge, _ style: BadgeStyle
    ) throws(ArtworkError) -> PixelBuffer {
        try badge.sketch(style).pixels(scale: style.scale)
    }

    /// Draws a badge over a corner of the finished canvas and cuts a ring around it out of the
    /// canvas, so that the badge is distinct from every picture.
    package func lay(
        _ mark: BadgeMark, _ style: BadgeStyle, over canvas: inout PixelBuffer
    ) throws(ArtworkError) {
        let pill = try badges.picture(of: mark.badge, style)
        let size = pill.pixels.size
        let x = mark.corner.isRight ? canvas.width - size.width : 0
        let y = mark.corner.isBottom ? canvas.height - size.height : 0
        let ring = Int((style.ring * style.scale + 0.5).rounded(.down))
        if ring > 0 {
            let hole = PixelSize(width: size.width + 2 * ring, height: size.height + 2 * ring)
            let mask = masks.mask(
                hole, radius: Double(hole.height) / 2, style: .circular)
            canvas.erase(mask, x: x - ring, y: y - ring)
        }
        canvas.draw(pill.pixels, x: x, y: y)
    }
}

extension Sketch {
    /// Draws a badge over a corner. A drawing cannot be cut, so the ring has the colour of the
    /// surface.
    package mutating func lay(
        _ mark: BadgeMark, in theme: Theme, _ scheme: ColorScheme
    ) throws(ArtworkError) {
        let style = BadgeStyle(
            mark.badge.appearance, on: (width, height), theme: theme, scheme: scheme)
        let pill = try mark.badge.sketch(style)
        let x = mark.corner.isRight ? width - pill.width : 0
        let y = mark.corner.isBottom ? height - pill.height : 0
        if style.ring > 0, let surface = theme.color("theme.color.background.surface", scheme) {
            let edge = Box(
                x: x, y: y, width: pill.width, height: pill.height, radius: pill.height / 2)
            add(.fill(edge.inset(by: -style.ring), surface))
        }
        add(pill, x: x, y: y)
    }
}

/// A cache of drawn badges; most items of a batch have the same badge.
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
