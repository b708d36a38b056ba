import Codecs

extension Renderer {
    /// Reads the header of `bytes`, with the drawing where that had to be loaded for it.
    ///
    /// Lets every header through, so that a picture which is refused can still be described; only
    /// the text has its limit.
    package func open(
        _ bytes: Span<UInt8>, recipe: Recipe
    ) throws(RenderError) -> (header: ImageHeader, drawing: OpenedDrawing?) {
        var limits = DecodeLimits.headerOnly
        limits.svgBytes = recipe.limits.svgBytes
        do throws(DecodeError) {
            return try ImageDecoder.open(bytes, limits: limits)
        } catch {
            throw .decode(error)
        }
    }
}
