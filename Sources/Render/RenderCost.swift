import Artwork
import Codecs
import Raster
import Theming

/// The memory for decoding and scaling an image, computed from its header alone.
package struct RenderCost: Sendable {
    package let request: DecodeRequest
    /// The most bytes held at once; `Int.max` on overflow.
    package let bytes: Int

    /// - Parameters:
    ///   - memoryBytes: the memory for decoding if nothing else is decoded; a decoder that would
    ///     exceed it uses a method that needs less memory.
    ///   - headerBytes: the memory that reading the header took and still holds.
    package init(
        of subject: RenderOrder.Subject, _ header: ImageHeader, _ recipe: Recipe,
        _ renderer: Renderer, memoryBytes: Int, headerBytes: Int
    ) {
        let working = max(memoryBytes - header.codedSize.byteCount, 0)
        switch subject {
        case .picture, .icon, .initials, .raster:
            request = renderer.request(for: header, recipe: recipe, workingBytes: working)
            let decoding = ImageDecoder.memoryCost(of: header, request: request)
            // The decoded pixels may be halved several times before they are scaled. Each copy has a
            // quarter of the pixels of the copy before it, so all copies together take a third of
            // the original.
            let pixels = min(decoding, header.codedSize.byteCount)
            // A drawing keeps no pixels: the canvas that it is drawn on becomes part of the output.
            // A trimmed copy exists next to the original for a moment.
            let copies = max(pixels / 3, recipe.trim == .none ? 0 : pixels)
            let kept = header.format.isVector ? 0 : pixels.saturating(plus: copies)
            let output = Self.outputBytes(
                recipe, renderer.theme, of: header.exactSize, format: header.format)
            bytes = max(decoding, kept.saturating(plus: output)).saturating(plus: headerBytes)
        case .graphic(let box):
            request = DecodedGraphic.request(
                in: box, limits: recipe.limits, working: working, codecs: recipe.codecs)
            // The decoded pixels are reduced or drawn, and then copied: two buffers of four bytes
            // per pixel.
            let side = DecodedGraphic.longestSide
            bytes = ImageDecoder.memoryCost(of: header, request: request)
                .saturating(plus: side * side * 4 * 2)
        case .check:
            // A check asks for as few pixels as the format can give.
            let least = PixelSize(width: 1, height: 1)
            request = DecodeRequest(
                limits: recipe.limits, neededSize: least, defersOrientation: true,
                codecs: recipe.codecs)
            bytes = ImageDecoder.memoryCost(of: header, request: request)
        case .pixels:
            request = DecodeRequest(
                limits: recipe.limits, workingBytes: working, codecs: recipe.codecs)
            // A copy of the decoded pixels and the buffer for the result are in memory, too.
            let most = recipe.limits.pixels.saturating(times: 4)
            let pixels = min(header.size.area.saturating(times: 4), most)
            bytes = ImageDecoder.memoryCost(of: header, request: request)
                .saturating(plus: pixels.saturating(times: 2))
        }
    }

    /// Returns the memory for composing and encoding beyond 16 MB. Emblems of the usual sizes stay
    /// below that, which each process may use in addition to the budget.
    package static func outputBytes(
        _ recipe: Recipe, _ theme: Theme, of source: (width: Double, height: Double) = (1, 1),
        format: ImageFormat? = nil
    ) -> Int {
        max(0, recipe.outputBytes(of: source, format: format, in: theme) - (16 << 20))
    }
}
