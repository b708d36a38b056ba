import EmblemKit

/// An observer that logs every item that could not be shown.
struct LogObserver: EmblemObserver {
    let logger: Logger

    func finished(_ report: EmblemReport) {
        guard let error = report.error, let kind = report.errorClass else { return }
        let id = report.item.id ?? "-"
        logger.warning("\(error)", metadata: ["class": "\(kind)", "id": "\(id)"])
    }
}

/// An observer that counts items and measures stages.
struct MetricsObserver: EmblemObserver {
    func finished(_ report: EmblemReport) {
        let status = report.errorClass ?? report.status.rawValue
        Counter(label: "emblem_items", dimensions: [("status", status)]).increment()
        Counter(label: "emblem_bytes").increment(by: report.bytesIn)
        if report.isFromCache { Counter(label: "emblem_cache_hits").increment() }
        for (stage, time) in report.stages {
            Timer(label: "emblem_\(stage.rawValue)").record(duration: time)
        }
    }
}

/// Both observers at once.
struct Observers: EmblemObserver {
    let all: [any EmblemObserver]

    func finished(_ report: EmblemReport) {
        for observer in all { observer.finished(report) }
    }
}
