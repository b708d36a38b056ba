import Raster
import Theming

extension EmblemArtwork {
    /// A badge that stands alone.
    package func badge(
        _ badge: Badge, _ style: BadgeStyle
    ) throws(ArtworkError) -> PixelBuffer {
        try badge.sketch(style).pixels(scale: style.scale)
    }

    /// Lays a badge over a corner of what is finished, and cuts a ring around it out of that, so
    /// that it stands clear of every picture.
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
