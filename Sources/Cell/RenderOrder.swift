import Artwork
import Codecs
import Raster
import Render

/// What shall be rendered.
package struct RenderOrder: Sendable {
    /// What the emblems are made of.
    package enum Content: Sendable {
        /// The bytes of a picture, from anybody.
        case picture([UInt8])
        case icon(BuiltInIcon)
        case initials(Initials)
        /// The bytes of a picture that shall lie in a sketch, and the box that it is shown in; no
        /// emblems are made.
        case graphic([UInt8], in: PixelSize)
        /// The bytes of a picture that is decoded once, to know that it can be; nothing is made of
        /// it.
        case check([UInt8])
        /// The bytes of a picture of which every pixel is wanted, upright and premultiplied.
        case pixels([UInt8])

        /// The bytes that come from strangers.
        var picture: [UInt8]? {
            switch self {
            case .picture(let bytes), .graphic(let bytes, _), .check(let bytes),
                .pixels(let bytes):
                bytes
            case .icon, .initials: nil
            }
        }
    }

    package var content: Content
    package var recipe: Recipe
    /// A picture that decodes in this many bytes is rendered without asking for them.
    package var allowanceBytes: Int
    /// How long the work may take, waiting for admission not counted. In this process nothing can
    /// end a step that hangs.
    package var patienceNanoseconds: UInt64
    /// How long the processors may work on it. A cell that goes on is killed at that moment; in this
    /// process a step that was begun is brought to its end first.
    package var processorNanoseconds: UInt64

    /// What one item may take where nobody says otherwise.
    package static let usualProcessorNanoseconds: UInt64 = 5_000_000_000

    package init(
        _ content: Content, recipe: Recipe, allowanceBytes: Int = 0,
        patienceNanoseconds: UInt64 = 3_600_000_000_000,
        processorNanoseconds: UInt64 = RenderOrder.usualProcessorNanoseconds
    ) {
        self.processorNanoseconds = processorNanoseconds
        self.content = content
        self.recipe = recipe
        self.allowanceBytes = allowanceBytes
        self.patienceNanoseconds = patienceNanoseconds
    }
}

/// A step and the moment at which it began, on the monotonic clock.
package struct RenderMoment: Hashable, Sendable {
    package let step: RenderStep
    package let nanoseconds: UInt64

    package init(step: RenderStep, nanoseconds: UInt64) {
        self.step = step
        self.nanoseconds = nanoseconds
    }
}

/// What came of an order, wherever it was carried out.
package struct RenderAnswer: Sendable {
    /// What the picture says of itself; `nil` where its header could not be read.
    package var header: ImageHeader?
    /// The steps in their order, up to the one that failed.
    package var moments: [RenderMoment]
    /// What the processors worked for it, all attempts together.
    package var processorNanoseconds: UInt64 = 0
    package var result: Result<Rendering, CellError>

    package init(
        header: ImageHeader? = nil, moments: [RenderMoment] = [],
        result: Result<Rendering, CellError>
    ) {
        self.header = header
        self.moments = moments
        self.result = result
    }
}
