import Artwork
import Codecs
import Raster

/// A finished emblem: encoded, ready to be stored.
package struct RenderedImage: Sendable {
    package let variant: Variant
    package let format: OutputFormat
    package let size: PixelSize
    package let bytes: [UInt8]

    package init(variant: Variant, format: OutputFormat, size: PixelSize, bytes: [UInt8]) {
        self.variant = variant
        self.format = format
        self.size = size
        self.bytes = bytes
    }

    /// The same picture as another of its sizes.
    init(_ other: RenderedImage, as variant: Variant) {
        self.init(variant: variant, format: other.format, size: other.size, bytes: other.bytes)
    }
}

/// A few numbers that stand for the picture until it is loaded.
package struct Preview: Sendable, Hashable {
    package let thumbHash: [UInt8]
    /// `nil` where nothing of the picture is visible.
    package let dominant: Color?
    /// Of which pictures that look alike have most bits in common.
    package let gradients: UInt64

    /// Neither needs more: a hash holds seven waves across, and a colour that stands for a
    /// picture covers more than a pixel of this.
    private static let edge = 32

    package init(thumbHash: [UInt8], dominant: Color?, gradients: UInt64 = 0) {
        self.thumbHash = thumbHash
        self.dominant = dominant
        self.gradients = gradients
    }

    /// Reduces the picture once, for all of them.
    init(of picture: borrowing PixelBuffer) {
        let small = picture.reduced(to: Self.edge)
        thumbHash = ThumbHash.bytes(of: small)
        dominant = DominantColor.of(small)
        gradients = GradientHash.of(small)
    }
}

/// What came of a picture: its emblems, and what a page shows before they load.
package struct Rendering: Sendable {
    package let images: [RenderedImage]
    package let preview: Preview?
    /// What should be looked at, each once, in a fixed order.
    package var lint: [PictureLint]
    /// The backgrounds that were chosen for the picture, where they were to be.
    package var backgrounds: [BackgroundChoice]
    /// The decisions about a logo, where options asked for them.
    package var decision: LogoDecision?
    /// What a graphic for a sketch was decoded to, where that was asked for.
    package var graphic: DecodedGraphic?

    package init(
        images: [RenderedImage], preview: Preview?, lint: [PictureLint] = [],
        backgrounds: [BackgroundChoice] = [], decision: LogoDecision? = nil,
        graphic: DecodedGraphic? = nil
    ) {
        self.images = images
        self.preview = preview
        self.lint = lint
        self.backgrounds = backgrounds
        self.decision = decision
        self.graphic = graphic
    }
}

/// Why a picture did not become an emblem. The world's fault, never a programming error.
package enum RenderError: Error, Hashable, Sendable {
    case decode(DecodeError)
    case encode(String)
    /// The caller asked to stop between two steps.
    case stopped
}

extension RenderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .decode(let cause): "The picture cannot be decoded: \(cause)."
        case .encode(let reason): "The emblem cannot be encoded: \(reason)."
        case .stopped: "The work was stopped."
        }
    }
}

extension RenderError {
    init(_ error: ArtworkError) {
        switch error {
        case .drawing(let cause): self = .decode(cause)
        case .fonts, .noText, .tooLarge, .beyondCairo, .encoding: self = .encode("\(error)")
        }
    }
}
