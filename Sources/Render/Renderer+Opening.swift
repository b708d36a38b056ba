import Codecs
import System

extension Renderer {
    /// Reads the header of `bytes`, and the drawing if it had to be loaded for that.
    ///
    /// Accepts headers that exceed the limits, so that a refused image can still be described; only
    /// the length of a document is limited.
    package func open(
        _ bytes: Span<UInt8>, recipe: Recipe
    ) throws(RenderError) -> (header: ImageHeader, drawing: OpenedDrawing?) {
        var limits = DecodeLimits.headerOnly
        limits.svgBytes = recipe.limits.svgBytes
        return try rethrowing(ImageDecoder.open(bytes, limits: limits), as: RenderError.decode)
    }
}
