import Artwork
import Codecs
import Raster
import Theming

package struct RenderedImage: Sendable {
    package let variant: Variant
    package let format: OutputFormat
    package let size: PixelSize
    package let bytes: [UInt8]
    /// Whether it shows the placeholder, next to images of the item that show its source.
    package var isPlaceholder = false

    package init(variant: Variant, format: OutputFormat, size: PixelSize, bytes: [UInt8]) {
        self.variant = variant
        self.format = format
        self.size = size
        self.bytes = bytes
    }

    init(_ other: RenderedImage, as variant: Variant) {
        self.init(variant: variant, format: other.format, size: other.size, bytes: other.bytes)
    }
}

/// A preview of the image, to show until it is loaded.
package struct Preview: Sendable, Hashable {
    package let thumbHash: [UInt8]
    /// The dominant colour; nil if nothing of the image is visible.
    package let dominant: Color?

    /// The side of the reduced image. A thumb hash uses at most seven frequencies across, and a
    /// dominant colour covers more than one of these pixels.
    private static let edge = 32

    package init(thumbHash: [UInt8], dominant: Color?) {
        self.thumbHash = thumbHash
        self.dominant = dominant
    }

    /// Computes both values from one reduced copy.
    init(of picture: borrowing PixelBuffer) {
        let small = picture.reduced(to: Self.edge)
        thumbHash = ThumbHash.bytes(of: small)
        dominant = DominantColor.of(small)
    }
}

package struct Rendering: Sendable {
    package let images: [RenderedImage]
    package let preview: Preview?
    /// The lint, each entry once, in a fixed order.
    package var lint: [PictureLint]
    /// The decisions about a logo, if options request them.
    package var decision: LogoDecision?
    /// The decoded graphic for a sketch, if it was requested.
    package var graphic: DecodedGraphic?

    package init(
        images: [RenderedImage], preview: Preview?, lint: [PictureLint] = [],
        decision: LogoDecision? = nil, graphic: DecodedGraphic? = nil
    ) {
        self.images = images
        self.preview = preview
        self.lint = lint
        self.decision = decision
        self.graphic = graphic
    }
}

extension Rendering {
    /// Returns this rendering with the dark images of a rendering of another source.
    package func showing(dark twin: Rendering) -> Rendering {
        guard images.contains(where: { $0.variant.scheme != .dark }) else { return twin }
        let own = lint.filter { $0 != .lowContrast(.dark) }
        let all = own + twin.lint.filter { !own.contains($0) }
        var decision = decision
        if let grounds = twin.decision?.grounds {
            decision?.grounds.removeAll { $0.scheme == .dark }
            decision?.grounds += grounds
        }
        return Rendering(
            images: images.map { image in
                twin.images.first { $0.variant == image.variant } ?? image
            },
            preview: preview, lint: PictureLint.inOrder(all), decision: decision)
    }
}

extension PictureLint {
    fileprivate static func inOrder(_ lint: [PictureLint]) -> [PictureLint] {
        Kind.allCases.flatMap { kind in lint.filter { $0.kind == kind } }
    }
}

/// The reason why an image did not become an emblem: a fault of the input or the system, never of
/// the program.
package enum RenderError: Error, Hashable, Sendable {
    case decode(DecodeError)
    case encode(String)
    /// Decoding needs more memory than the order may take; both numbers are in bytes.
    case tooLarge(Int, allowed: Int)
    /// The caller stopped the work between two steps.
    case stopped
}

extension RenderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .decode(let cause): "The picture cannot be decoded: \(cause)."
        case .encode(let reason): "The emblem cannot be encoded: \(reason)."
        case .tooLarge: "Decoding needs more memory than is allowed."
        case .stopped: "The work was stopped."
        }
    }
}

extension RenderError {
    /// The only place where an error of a decoder, of a drawing or of an encoder becomes the error
    /// of an order.
    init(_ error: any Error) {
        switch error {
        case let error as RenderError: self = error
        case let error as DecodeError: self = .decode(error)
        case ArtworkError.drawing(let cause): self = .decode(cause)
        default: self = .encode("\(error)")
        }
    }
}
