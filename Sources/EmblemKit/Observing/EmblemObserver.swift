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
/// SVG drawings and phases are not reported.
public protocol EmblemObserver: Sendable {
    /// Receives the report of a finished item before the outcome is delivered.
    ///
    /// Several tasks call it at once. Return quickly, because the item waits.
    func finished(_ report: EmblemReport)
}
