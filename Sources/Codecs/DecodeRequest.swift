import Raster

package struct DecodeRequest: Hashable, Sendable {
    package var limits: DecodeLimits
    /// The largest size, after orientation, to which the image will be resampled; `nil` requests
    /// every pixel. A decoder reduces the image only if that does not lose quality.
    package var neededSize: PixelSize?
    /// Permits the decoder to halve a large image while it decodes rows; `nil` if the caller needs
    /// every stored pixel.
    package var halving: RowHalving?
    /// Whether the decoder leaves the orientation to the resampler, which then rotates the smaller
    /// result. The decoder records it in `PixelBuffer.pendingOrientation`.
    package var defersOrientation: Bool
    /// The bytes that a decode may hold in addition to its result. A decoder that would need more
    /// uses a slower method that needs less.
    package var workingBytes: Int
    package var codecs: CodecChoice

    package init(
        limits: DecodeLimits = DecodeLimits(), neededSize: PixelSize? = nil,
        halving: RowHalving? = nil, defersOrientation: Bool = false,
        workingBytes: Int = 256 << 20, codecs: CodecChoice = .fast
    ) {
        self.limits = limits
        self.neededSize = neededSize
        self.halving = halving
        self.defersOrientation = defersOrientation
        self.workingBytes = workingBytes
        self.codecs = codecs
    }
}

package struct DecodeLimits: Hashable, Sendable {
    /// The most pixels that a header may declare.
    package var pixels: Int
    /// The most pixels of a progressive JPEG, whose coefficients stay in memory at any scale: half
    /// of `pixels`, but at least 25 million.
    package var progressivePixels: Int
    /// The longest side in pixels.
    package var edge: Int
    /// The longest colour profile that is read, in bytes; a longer profile is ignored.
    package var profileBytes: Int
    /// The longest SVG in bytes, after decompression.
    package var svgBytes: Int
    package var jpegScans: Int

    package init(
        pixels: Int = 50_000_000, progressivePixels: Int? = nil, edge: Int = 1_000_000,
        profileBytes: Int = 4 << 20, svgBytes: Int = 10 << 20, jpegScans: Int = 100
    ) {
        self.pixels = pixels
        self.progressivePixels = progressivePixels ?? max(pixels / 2, 25_000_000)
        self.edge = edge
        self.profileBytes = profileBytes
        self.svgBytes = svgBytes
        self.jpegScans = jpegScans
    }

    /// Throws `corrupt` if a side is not positive and `limitPixels` if the size is too large.
    package func check(_ size: PixelSize, progressive: Bool = false) throws(DecodeError) {
        guard size.width > 0, size.height > 0 else {
            throw .corrupt("a picture without pixels")
        }
        guard size.width <= edge, size.height <= edge,
            size.area <= (progressive ? min(pixels, progressivePixels) : pixels),
            size.byteCount < .max
        else { throw .limitPixels }
    }
}

package enum DecodeError: Error, Hashable, Sendable {
    /// The bytes are empty or not in a recognised image format.
    case notImage
    /// A recognised format or variant that is not supported; the text names it.
    case unsupported(String)
    case truncated
    /// The data breaks the rules of its format; the text says which.
    case corrupt(String)
    /// The header declares more pixels, or a longer side, than the limits allow.
    case limitPixels
    /// Decoding would exceed another limit; the text names it.
    case limitDecode(String)
}

extension DecodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notImage: "The bytes are not a known image format."
        case .unsupported(let what): "This kind of picture is not supported: \(what)."
        case .truncated: "The data ends before the last pixel; load it again."
        case .corrupt(let what): "The picture is damaged: \(what)."
        case .limitPixels:
            "The picture declares more pixels than --max-pixels allows. A progressive JPEG may "
                + "declare half as many, because all its coefficients stay in memory; raise "
                + "--max-pixels to decode it."
        case .limitDecode(let what): "Decoding would exceed a limit: \(what)."
        }
    }
}

/// A request to halve a large image, once or several times, while its rows are decoded.
///
/// The resampler starts by halving an image that is many times larger than `neededSize`. A decoder
/// that does this earlier returns the same pixels, and holds a few rows instead of the whole image.
package struct RowHalving: Hashable, Sendable {
    /// The largest size, after orientation, to which the image will be resampled.
    package var neededSize: PixelSize
    /// The number of pixels from which rows are halved. Smaller images are decoded whole, which is
    /// faster.
    package var leastPixels: Int

    package static let usualPixels = 8 << 20

    package init(neededSize: PixelSize, leastPixels: Int = usualPixels) {
        self.neededSize = neededSize
        self.leastPixels = leastPixels
    }
}

extension DecodeRequest {
    /// Returns the number of times that a decoder halves both sides of an image; 0 if the image is
    /// too small.
    func halvings(of header: ImageHeader) -> Int {
        let (size, orientation) = (header.codedSize, header.orientation)
        // At the right and bottom edges, a pixel may average an incomplete block. The resampler
        // expects such pixels there, so the decoder must not rotate the image.
        guard let halving, size.area >= halving.leastPixels, orientation == .up || defersOrientation
        else { return 0 }
        let needed = halving.neededSize
        let steps = PyramidSteps(
            from: size, to: orientation.transposes ? needed.transposed : needed)
        return min(steps.across, steps.down)
    }
}
