import Artwork
import Raster
import System
import Theming

extension Renderer {
    /// Draws a badge over an emblem that is finished otherwise.
    func lay(
        _ mark: BadgeMark, on canvas: inout PixelBuffer, _ variant: Variant
    ) throws(RenderError) {
        let size = (Double(canvas.width) / variant.scale, Double(canvas.height) / variant.scale)
        let style = BadgeStyle(
            mark.badge.appearance, on: size, theme: theme, scheme: variant.scheme,
            scale: variant.scale)
        try rethrowing(artwork.lay(mark, style, over: &canvas), as: RenderError.init)
    }

    /// Returns a separate badge, encoded as `recipe` says.
    package func badge(
        _ badge: Badge, scale: Double, scheme: ColorScheme, recipe: Recipe
    ) throws(RenderError) -> RenderedImage {
        let style = BadgeStyle(badge.appearance, theme: theme, scheme: scheme, scale: scale)
        let canvas = try rethrowing(artwork.badge(badge, style), as: RenderError.init)
        // A badge has a fixed size, so only the scale and scheme of the variant matter.
        let variant = Variant(layout: EmblemLayout.medium, scale: scale, scheme: scheme)
        return try encode(canvas, variant, recipe.encoding(for: variant, source: nil, in: theme))
    }
}
