import Artwork
import Codecs
import Raster

/// What shall be made, and of what.
package struct RenderOrder: Sendable {
    package enum Subject: Hashable, Sendable {
        /// Emblems of the picture.
        case picture
        /// Emblems of what is ours.
        case icon(BuiltInIcon)
        case initials(Initials)
        /// Emblems of pixels that this program has: nothing of them is decoded, and no other
        /// process gets them.
        case raster(SharedPixels)
        /// The picture as it lies in a sketch that shows it in this box; no emblems.
        case graphic(in: PixelSize)
        /// Nothing: the picture is decoded once, to know that it can be.
        case check
        /// Every pixel of the picture, upright and premultiplied.
        case pixels

        /// It is about the bytes of a stranger.
        package var isPicture: Bool {
            switch self {
            case .picture, .graphic, .check, .pixels: true
            case .icon, .initials, .raster: false
            }
        }
    }

    package var subject: Subject
    /// The bytes of the picture, from anybody; none where what is drawn is ours.
    package var source: [UInt8]
    package var recipe: Recipe
    /// The bytes of the source that no other budget counts. They count as memory for decoding.
    package var besideBytes: Int
    /// The memory for decoding that the order has. The backend sets it.
    package var allowanceBytes = 0
    /// The time limit of the work, without waits for memory. In this process nothing can end a step
    /// that hangs.
    package var patienceNanoseconds: UInt64
    /// How long the processors may work on it. A worker that goes on is killed at that moment; in
    /// this process a step that was begun is brought to its end first.
    package var processorNanoseconds: UInt64

    /// What one item may take where nobody says otherwise.
    package static let usualProcessorNanoseconds: UInt64 = 5_000_000_000

    package init(
        _ subject: Subject, of source: [UInt8] = [], recipe: Recipe, besideBytes: Int = 0,
        patienceNanoseconds: UInt64 = 3_600_000_000_000,
        processorNanoseconds: UInt64 = RenderOrder.usualProcessorNanoseconds
    ) {
        self.processorNanoseconds = processorNanoseconds
        self.subject = subject
        self.source = source
        self.recipe = recipe
        self.besideBytes = besideBytes
        self.patienceNanoseconds = patienceNanoseconds
    }
}

/// What came of an order, wherever it was carried out.
package struct RenderAnswer: Sendable {
    /// What the picture says of itself; `nil` where its header could not be read.
    package var header: ImageHeader?
    /// The steps in their order, up to the one that failed. Attempts that were repeated come first,
    /// and the wait between two attempts is an `admit`.
    package var moments: [StepMoment]
    /// When the last of them ended; nil for just now.
    package var end: UInt64?
    /// What the processors worked for it, all attempts together.
    package var processorNanoseconds: UInt64 = 0
    package var result: Result<Rendering, OrderError>

    package init(
        header: ImageHeader? = nil, moments: [StepMoment] = [],
        result: Result<Rendering, OrderError>
    ) {
        self.header = header
        self.moments = moments
        self.result = result
    }
}
