/// Is told what came of every emblem and avatar that is drawn of a source.
///
/// Set one for all (``DesignSystem/observer``) or for one batch (``EmblemBatch/observer``). With it a
/// program hands on what it wants to know to its own logs and metrics. This one is for swift-log:
///
/// ```swift
/// /// Writes what could not be shown to a log.
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
/// And this one for swift-metrics:
///
/// ```swift
/// /// Counts and times everything.
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
/// Drawings and phases are not reported.
public protocol EmblemObserver: Sendable {
    /// One is done, for better or worse, and nobody has been given it yet.
    ///
    /// Called from several tasks at once. Be quick: the work waits.
    func finished(_ report: EmblemReport)
}
