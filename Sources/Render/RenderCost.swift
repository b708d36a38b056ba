import Artwork
import Codecs
import Raster
import Theming

/// What decoding and scaling a picture ask for, from its header alone.
package struct RenderCost: Sendable {
    package let request: DecodeRequest
    /// The most bytes held at once, `Int.max` for more than can be counted.
    package let bytes: Int

    /// What a document asks for before its header can be read: `bytes`, and what a small one of
    /// its format takes.
    package init(headerBytes bytes: Int, _ recipe: Recipe, _ renderer: Renderer) {
        self.init(
            of: Self.unread, recipe, renderer, memoryBytes: 0, headerBytes: bytes)
    }

    /// Stands for the header that is to be read.
    package static var unread: ImageHeader {
        ImageHeader(format: .svg, codedSize: PixelSize(width: 1, height: 1))
    }

    /// What an order takes once the header of its picture is known.
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

    /// - Parameter memoryBytes: what decoding may have when nothing else is decoded; a decoder
    ///   that would like more beside its pixels takes the path that holds less.
    /// - Parameter headerBytes: what reading the header took already and keeps.
    package init(
        of header: ImageHeader, _ recipe: Recipe, _ renderer: Renderer, memoryBytes: Int,
        headerBytes: Int = 0
    ) {
        request = renderer.request(
            for: header, recipe: recipe,
            workingBytes: max(memoryBytes - header.codedSize.byteCount, 0))
        let decoding = ImageDecoder.memoryCost(of: header, request: request)
        // Decoded, it may be halved again and again before it is scaled.
        let pixels = min(decoding, header.codedSize.byteCount)
        let halves = pixels / 3 * (recipe.linear ? 2 : 1)
        // A drawing keeps no pixels; what it is drawn on becomes part of the output.
        // What is cut off its margins stands beside it for a moment.
        let cut = recipe.trim == .none ? 0 : pixels
        let kept = header.format.isVector ? 0 : pixels.saturating(plus: max(halves, cut))
        let output = Self.outputBytes(
            recipe, renderer.theme, of: header.exactSize, format: header.format)
        bytes = max(decoding, kept.saturating(plus: output)).saturating(plus: headerBytes)
    }

    /// What composing and writing take beyond what they may take unasked: emblems of the usual
    /// sizes are a fraction of what each process may hold beside the budget.
    package static func outputBytes(
        _ recipe: Recipe, _ theme: Theme, of source: (width: Double, height: Double) = (1, 1),
        format: ImageFormat? = nil
    ) -> Int {
        max(0, recipe.outputBytes(of: source, format: format, in: theme) - (16 << 20))
    }

    /// The same for a picture that is decoded to see that it can be: as few pixels as its format can
    /// give.
    init(checking header: ImageHeader, _ recipe: Recipe) {
        request = DecodeRequest(
            limits: recipe.limits, neededSize: PixelSize(width: 1, height: 1),
            allowTruncated: recipe.allowTruncated, codecs: recipe.codecs)
        bytes = ImageDecoder.memoryCost(of: header, request: request)
    }

    /// The same for every pixel of a picture.
    init(pixelsOf header: ImageHeader, _ recipe: Recipe, memoryBytes: Int) {
        request = DecodeRequest(
            limits: recipe.limits, allowTruncated: recipe.allowTruncated,
            workingBytes: max(memoryBytes - header.codedSize.byteCount, 0), codecs: recipe.codecs)
        // Beside what was decoded there are a copy, and the room in which it is handed over.
        let most = recipe.limits.pixels.saturating(times: 4)
        let pixels = min(header.size.area.saturating(times: 4), most)
        bytes = ImageDecoder.memoryCost(of: header, request: request)
            .saturating(plus: pixels.saturating(times: 2))
    }

    /// The same for a graphic that is shown in `box`.
    init(of header: ImageHeader, graphicIn box: PixelSize, _ recipe: Recipe, memoryBytes: Int) {
        request = DecodedGraphic.request(
            in: box, limits: recipe.limits,
            working: max(memoryBytes - header.codedSize.byteCount, 0),
            allowTruncated: recipe.allowTruncated, codecs: recipe.codecs)
        let decoding = ImageDecoder.memoryCost(of: header, request: request)
        // Beside what was decoded it is made smaller, or drawn, and copied.
        let side = DecodedGraphic.longestSide
        let (sum, overflow) = decoding.addingReportingOverflow(side * side * 4 * 2)
        bytes = overflow ? .max : sum
    }
}
