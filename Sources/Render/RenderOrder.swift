import Artwork
import Codecs
import Gauge
import Raster

/// One piece of work for a backend: an image or built-in content, a recipe and limits.
package struct RenderOrder: Sendable {
    /// The input and the kind of result.
    package enum Subject: Hashable, Sendable {
        case picture
        case icon(BuiltInIcon)
        case initials(Initials)
        /// Pixels from the calling program: nothing is decoded, and the pixels are sent to no other
        /// process.
        case raster(SharedPixels)
        /// The image, decoded for a sketch that shows it in a box of this size; no emblems are
        /// drawn.
        case graphic(in: PixelSize)
        /// No output: the image is decoded as a check, and the result is discarded.
        case check
        /// Every pixel of the image, upright and premultiplied.
        case pixels

        /// Whether the order has an untrusted image.
        package var isPicture: Bool {
            switch self {
            case .picture, .graphic, .check, .pixels: true
            case .icon, .initials, .raster: false
            }
        }
    }

    package var subject: Subject
    /// The bytes of an untrusted image; empty for built-in content.
    package var source: [UInt8]
    package var recipe: Recipe
    /// The length of the source if no other budget counts it. It counts as memory for decoding.
    package var besideBytes: Int
    /// The time limit of the work, without waits for memory. In this process a step that hangs
    /// cannot be ended.
    package var patienceNanoseconds: UInt64
    /// The limit of CPU time, in nanoseconds. A worker that reaches it is killed; in this process
    /// the current step finishes first.
    package var processorNanoseconds: UInt64

    /// The most memory for decoding that the order may take, in bytes.
    package var memoryLimit = Int.max
    /// The most orders that may wait at once; one more fails with `OrderError.busy`.
    package var queueLimit = Int.max

    /// The default limit of CPU time for one item.
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

/// The result of an order, from any backend.
package struct RenderAnswer: Sendable {
    /// The header of the image; nil if it could not be read.
    package var header: ImageHeader?
    /// The stages of all attempts in order, up to the stage that failed. The wait between two
    /// attempts is a `queue` stage.
    package var moments: [StageMoment]
    /// The time at which the last stage ended; nil means now.
    package var end: UInt64?
    /// The CPU time of all attempts together, in nanoseconds.
    package var processorNanoseconds: UInt64 = 0
    package var result: Result<Rendering, OrderError>

    package init(
        header: ImageHeader? = nil, moments: [StageMoment] = [],
        result: Result<Rendering, OrderError>
    ) {
        self.header = header
        self.moments = moments
        self.result = result
    }
}
