import Raster
import Theming

extension EmblemArtwork {
    /// Puts fitted content on its background, with border and rounded corners.
    package func finish(_ fitted: consuming FittedPicture, _ style: EmblemStyle) -> PixelBuffer {
        let (size, x, y, kind) = (fitted.canvas, fitted.x, fitted.y, fitted.kind)
        var content = fitted.pixels
        if style.tint.applies(to: kind) { content.tint(style.colors.foreground) }
        var canvas = Self.composed(content, on: size, x: x, y: y, style)
        let radius = style.radiusPoints * style.scale
        let border = style.borderPoints * style.scale
        if border > 0 {
            canvas.paint(
                style.borderColor,
                outside: masks.mask(size, radius: radius, style: style.corner, inset: border))
        }
        canvas.mask(by: masks.mask(size, radius: radius, style: style.corner))
        return canvas
    }

    private static func composed(
        _ content: consuming PixelBuffer, on size: PixelSize, x: Int, y: Int, _ style: EmblemStyle
    ) -> PixelBuffer {
        // Nothing of the background would show.
        if content.isOpaque && content.size == size { return content }
        var canvas = PixelBuffer(unwritten: size)
        canvas.fill(style.colors.background)
        canvas.draw(content, x: x, y: y)
        return canvas
    }
}
