import Engine
import Gauge
import Render
import Synchronization

/// The result of one emblem or avatar, with times and sizes.
public struct EmblemReport: Sendable {
    /// A stage of the work.
    public enum Stage: String, CaseIterable, Hashable, Sendable {
        /// Waiting in the queue, or for a worker.
        case queue
        /// Loading from the network or reading the file.
        case load
        /// Decoding bytes to pixels.
        case decode
        /// Resampling to the output size.
        case resample
        /// Composing background, corners and badge.
        case compose
        /// Encoding the output file.
        case encode
    }

    /// The origin of the bytes.
    public enum Origin: String, CaseIterable, Hashable, Sendable {
        /// The memory of a ``CachingImageLoader``.
        case memory
        /// The cache of a ``NetworkImageLoader``.
        case cache
        /// A cached response of a ``NetworkImageLoader`` that the server confirmed as current.
        case revalidated
        /// The server.
        case network
    }

    /// The item as it was given, or a description of a single component.
    public let item: EmblemItem
    /// The index in the batch, from 0; `nil` for a single component.
    public let index: Int?
    /// The status of the item.
    public let status: EmblemOutcome.Status
    /// The reason why the image is not shown; `nil` if it is shown.
    public let error: (any Error)?
    /// The time from the first step to the last.
    public let duration: Duration
    /// The time of each stage, summed over all variants. Stages that were not reached are missing.
    public let stages: [Stage: Duration]
    /// The number of bytes loaded.
    public let bytesIn: Int
    /// The number of bytes encoded.
    public let bytesOut: Int
    /// The origin of the bytes; `nil` if no loader of the library was involved, and in a written
    /// batch.
    public let origin: Origin?
    /// Whether the images were drawn for an earlier item with the same source. The report of that
    /// item has the times and sizes.
    public let isShared: Bool

    init(_ made: MadeItem, _ clock: JobClock, _ notes: LoadNotes) {
        let bytesOut = made.isShared ? 0 : made.images.reduce(0) { $0 + $1.bytes.count }
        self.init(
            made.item, made.index, made.status, made.error, clock, bytes: (notes.bytes, bytesOut),
            notes.origin, isShared: made.isShared)
    }

    init(
        _ item: EmblemItem, _ index: Int?, _ status: EmblemOutcome.Status, _ error: (any Error)?,
        _ clock: JobClock, bytes: (in: Int, out: Int), _ origin: Origin? = nil,
        isShared: Bool = false
    ) {
        self.item = item
        self.index = index
        self.status = status
        self.error = error
        self.isShared = isShared
        self.origin = origin
        (bytesIn, bytesOut) = bytes
        var (whole, stages): (Duration, [Stage: Duration]) = (.zero, [:])
        for lap in isShared ? [] : clock.laps {
            let time = Duration.nanoseconds(lap.nanoseconds)
            if lap.stage == .total { whole = time }
            if let stage = Stage(lap.stage) { stages[stage, default: .zero] += time }
        }
        duration = whole
        self.stages = stages
    }

    /// Whether a cache provided the image, so that no server sent it.
    public var isFromCache: Bool { origin != nil && origin != .network }

    /// The error class for labels and counters: ``EmblemError/errorClass``, or the type name for
    /// errors of other modules.
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

/// A type that receives a report about every emblem and avatar drawn from a source.
///
/// Set an observer for all components (``DesignSystem/observer``) or for one batch
/// (``EmblemBatch/observer``), to forward reports to logs and metrics. This observer uses
/// swift-log:
///
/// ```swift
/// /// An observer that logs every item that could not be shown.
/// struct LogObserver: EmblemObserver {
///     let logger: Logger
///
///     func finished(_ report: EmblemReport) {
///         guard let error = report.error, let kind = report.errorClass else { return }
///         let id = report.item.id ?? "-"
///         logger.warning("\(error)", metadata: ["class": "\(kind)", "id": "\(id)"])
///     }
/// }
/// ```
///
/// This observer uses swift-metrics:
///
/// ```swift
/// /// An observer that counts items and measures stages.
/// struct MetricsObserver: EmblemObserver {
///     func finished(_ report: EmblemReport) {
///         let status = report.errorClass ?? report.status.rawValue
///         Counter(label: "emblem_items", dimensions: [("status", status)]).increment()
///         Counter(label: "emblem_bytes").increment(by: report.bytesIn)
///         if report.isFromCache { Counter(label: "emblem_cache_hits").increment() }
///         for (stage, time) in report.stages {
///             Timer(label: "emblem_\(stage.rawValue)").record(duration: time)
///         }
///     }
/// }
/// ```
///
/// Written batches are reported too; SVG drawings and phases are not.
public protocol EmblemObserver: Sendable {
    /// Receives the report of a finished item before the outcome is delivered.
    ///
    /// Several tasks call it at once. Return quickly, because the item waits.
    func finished(_ report: EmblemReport)
}

/// Notes about the loading of one component, added by the loaders involved.
///
/// The notes are task-local, so that a loader of the library can add the origin of the bytes even
/// if a custom loader calls it.
final class LoadNotes: Sendable {
    /// The notes of the current task; `nil` without an observer.
    @TaskLocal static var current: LoadNotes?

    private let state = Mutex<(bytes: Int, origin: EmblemReport.Origin?)>((0, nil))

    var bytes: Int { state.withLock { $0.bytes } }
    var origin: EmblemReport.Origin? { state.withLock { $0.origin } }

    func count(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    func note(_ origin: EmblemReport.Origin) { state.withLock { $0.origin = origin } }
}
