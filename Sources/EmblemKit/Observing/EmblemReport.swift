import Engine
import Render

/// What came of one emblem or avatar, and what it took.
public struct EmblemReport: Sendable {
    /// A part of the work.
    public enum Stage: String, CaseIterable, Hashable, Sendable {
        /// Waiting for room among others, or for a worker.
        case queue
        /// Asking the loader, or reading the file.
        case load
        /// From bytes to pixels.
        case decode
        /// Making the pixels fit.
        case resample
        /// Background, corners, badge.
        case compose
        /// From pixels to the file.
        case encode
    }

    /// Where the bytes came from.
    public enum Origin: String, CaseIterable, Hashable, Sendable {
        /// A ``CachingImageLoader`` had the picture.
        case memory
        /// The cache of a ``NetworkImageLoader`` had it.
        case cache
        /// That cache had it, and the server said that it still holds.
        case revalidated
        /// The server sent it.
        case network
    }

    /// The item as it was given; of a component that stands alone what it said of itself.
    public let item: EmblemItem
    /// Its place in the batch, from 0; `nil` for a component that stands alone.
    public let index: Int?
    /// How it ended.
    public let status: EmblemOutcome.Status
    /// Why its picture is not shown; `nil` where it is.
    public let error: (any Error)?
    /// All the time from the first step to the last.
    public let duration: Duration
    /// The time of each stage, all pictures of the item together; those that were not come to are
    /// left out.
    public let stages: [Stage: Duration]
    /// Bytes of the pictures that were loaded.
    public let bytesIn: Int
    /// Bytes of the pictures that were made.
    public let bytesOut: Int
    /// Where the bytes came from; `nil` where no loader of ours was asked, or none can say.
    public let origin: Origin?
    /// The work was done for an equal item of the batch, and its times and bytes stand there.
    public let isShared: Bool

    init(_ made: MadeItem, _ clock: JobClock, _ notes: LoadNotes) {
        item = made.item
        index = made.index
        status = made.status
        error = made.error
        isShared = made.isShared
        bytesIn = notes.bytes
        origin = notes.origin
        var (whole, stages): (Duration, [Stage: Duration]) = (.zero, [:])
        for lap in made.isShared ? [] : clock.laps {
            let time = Duration.nanoseconds(lap.nanoseconds)
            if lap.stage == .total { whole = time }
            if let stage = Stage(lap.stage) { stages[stage, default: .zero] += time }
        }
        duration = whole
        self.stages = stages
        bytesOut = made.isShared ? 0 : made.images.reduce(0) { $0 + $1.bytes.count }
    }

    /// No server sent the picture anew.
    public var isFromCache: Bool { origin != nil && origin != .network }

    /// A word for what went wrong, for labels and counters: the class under which a manifest lists a
    /// failure to load, such as `http_4xx`; otherwise what the library was about, such as
    /// `failed_to_decode`; for an error that is not ours its type.
    public var errorClass: String? {
        guard let error else { return nil }
        return (error as? EmblemError)?.errorClass ?? "\(type(of: error))"
    }
}

extension EmblemReport.Stage {
    fileprivate init?(_ stage: RunStage) {
        switch stage {
        case .queue: self = .queue
        case .dns, .connect, .ttfb, .fetch: self = .load
        case .decode: self = .decode
        case .resize: self = .resample
        case .compose: self = .compose
        case .encode: self = .encode
        case .write, .total, .plan: return nil
        }
    }
}

extension EmblemError {
    fileprivate var errorClass: String {
        switch self {
        case .missingURL: "missing_url"
        case .failedToLoad(let cause): cause.errorClass
        case .failedToDecode: "failed_to_decode"
        case .failedToEncode: "failed_to_encode"
        case .failedToDraw: "failed_to_draw"
        case .failedToWrite: "failed_to_write"
        case .texts: "texts"
        case .theme: "theme"
        case .scaleOutOfRange: "scale_out_of_range"
        case .header: "header"
        }
    }
}
