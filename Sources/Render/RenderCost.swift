import Artwork
import Codecs
import Raster
import Theming

/// The memory for decoding and scaling an image, computed from its header alone.
package struct RenderCost: Sendable {
    package let request: DecodeRequest
    /// The most bytes held at once; `Int.max` on overflow.
    package let bytes: Int

    /// Creates the cost of a document before its header can be read: `bytes`, plus the cost of a
    /// small image of its format.
    package init(headerBytes bytes: Int, _ recipe: Recipe, _ renderer: Renderer) {
        self.init(
            of: Self.unread, recipe, renderer, memoryBytes: 0, headerBytes: bytes)
    }

    /// A substitute for the header that was not read yet.
    package static var unread: ImageHeader {
        ImageHeader(format: .svg, codedSize: PixelSize(width: 1, height: 1))
    }

    package init(
        of subject: RenderOrder.Subject, _ header: ImageHeader, _ recipe: Recipe,
        _ renderer: Renderer, memoryBytes: Int, headerBytes: Int
    ) {
        switch subject {
        case .picture, .icon, .initials, .raster:
            self.init(
                of: header, recipe, renderer, memoryBytes: memoryBytes, headerBytes: headerBytes)
        case .graphic(let box):
            self.init(of: header, graphicIn: box, recipe, memoryBytes: memoryBytes)
        case .check: self.init(checking: header, recipe)
        case .pixels: self.init(pixelsOf: header, recipe, memoryBytes: memoryBytes)
        }
    }

    /// - Parameter memoryBytes: the memory for decoding if nothing else is decoded; a decoder that
    ///   would exceed it uses a method that needs less memory.
    ///
    /// - Parameter headerBytes: the memory that reading the header took and still holds.
    package init(
        of header: ImageHeader, _ recipe: Recipe, _ renderer: Renderer, memoryBytes: Int,
        headerBytes: Int = 0
    ) {
        request = renderer.request(
            for: header, recipe: recipe,
            workingBytes: max(memoryBytes - header.codedSize.byteCount, 0))
        let decoding = ImageDecoder.memoryCost(of: header, request: request)
        // The decoded pixels may be halved several times before they are scaled. Each copy has a
        // quarter of the pixels of the copy before it, so all copies together take a third of the
        // original.
        let pixels = min(decoding, header.codedSize.byteCount)
        let halves = pixels / 3
        // A drawing keeps no pixels: the canvas that it is drawn on becomes part of the output. A
        // trimmed copy exists next to the original for a moment.
        let cut = recipe.trim == .none ? 0 : pixels
        let kept = header.format.isVector ? 0 : pixels.saturating(plus: max(halves, cut))
        let output = Self.outputBytes(
            recipe, renderer.theme, of: header.exactSize, format: header.format)
        bytes = max(decoding, kept.saturating(plus: output)).saturating(plus: headerBytes)
    }

    /// Returns the memory for composing and encoding beyond 16 MB. Emblems of the usual sizes stay
    /// below that, which each process may use in addition to the budget.
    package static func outputBytes(
        _ recipe: Recipe, _ theme: Theme, of source: (width: Double, height: Double) = (1, 1),
        format: ImageFormat? = nil
    ) -> Int {
        max(0, recipe.outputBytes(of: source, format: format, in: theme) - (16 << 20))
    }

    /// Creates the cost of a decoding check, which asks for as few pixels as the format can give.
    init(checking header: ImageHeader, _ recipe: Recipe) {
        let least = PixelSize(width: 1, height: 1)
        request = DecodeRequest(
            limits: recipe.limits, neededSize: least, defersOrientation: true,
            codecs: recipe.codecs)
        bytes = ImageDecoder.memoryCost(of: header, request: request)
    }

    init(pixelsOf header: ImageHeader, _ recipe: Recipe, memoryBytes: Int) {
        request = DecodeRequest(
            limits: recipe.limits,
            workingBytes: max(memoryBytes - header.codedSize.byteCount, 0), codecs: recipe.codecs)
        // A copy of the decoded pixels and the buffer for the result are in memory, too.
        let most = recipe.limits.pixels.saturating(times: 4)
        let pixels = min(header.size.area.saturating(times: 4), most)
        bytes = ImageDecoder.memoryCost(of: header, request: request)
            .saturating(plus: pixels.saturating(times: 2))
    }

    init(of header: ImageHeader, graphicIn box: PixelSize, _ recipe: Recipe, memoryBytes: Int) {
        request = DecodedGraphic.request(
            in: box, limits: recipe.limits,
            working: max(memoryBytes - header.codedSize.byteCount, 0),
            codecs: recipe.codecs)
        let decoding = ImageDecoder.memoryCost(of: header, request: request)
        // The decoded pixels are reduced or drawn, and then copied: two buffers of four bytes per
        // pixel.
        let side = DecodedGraphic.longestSide
        let (sum, overflow) = decoding.addingReportingOverflow(side * side * 4 * 2)
        bytes = overflow ? .max : sum
    }
}
