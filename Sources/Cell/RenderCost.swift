import Codecs
import Raster
import Render

/// What decoding a picture asks for, from its header alone.
package struct RenderCost: Sendable {
    package let request: DecodeRequest
    /// The most bytes held at once, `Int.max` for more than can be counted.
    package let bytes: Int

    /// - Parameter memoryBytes: what decoding may have when nothing else is decoded; a decoder
    ///   that would like more beside its pixels takes the path that holds less.
    package init(
        of header: ImageHeader, _ recipe: Recipe, _ renderer: Renderer, memoryBytes: Int
    ) {
        request = renderer.request(
            for: header, recipe: recipe,
            workingBytes: max(memoryBytes - header.codedSize.byteCount, 0))
        bytes = ImageDecoder.memoryCost(of: header, request: request)
    }
}
