import Gauge
import Transport

/// The reason why an item's own picture is not shown.
package struct ItemFailure: Error, Sendable, Hashable {
    package let errorClass: ErrorClass
    /// The stage in which the item failed, as the run record names it.
    package let stage: String
    /// The text of the library or the system; kept for the journal, never for the manifest.
    package let detail: String
    /// The HTTP status, for the classes that have one.
    package let status: Int?
    package let isRetryable: Bool
    /// The error that was thrown, for callers that need more than a class.
    package let cause: Cause?

    package init(
        _ errorClass: ErrorClass, stage: RunStage, detail: String = "", status: Int? = nil,
        isRetryable: Bool? = nil, cause: (any Error)? = nil
    ) {
        self.errorClass = errorClass
        self.stage = stage.rawValue
        self.detail = detail.isEmpty ? detail : SourceMask.inside(message: detail)
        self.status = status
        self.isRetryable = isRetryable ?? errorClass.isRetryable
        self.cause = cause.map { Cause(error: $0) }
    }

    /// The message in the manifest: fixed for each class and status, except for unusable rows,
    /// where it says what is wrong with the row.
    package var message: String {
        if errorClass == .badRow, !detail.isEmpty { return detail }
        return status.map(StatusText.of) ?? errorClass.message
    }

    /// The most exact text that is known. `message` says everything about a server's answer.
    package var explanation: String { status != nil || detail.isEmpty ? message : detail }

    /// The explanation without its final full stop, for use within a sentence.
    package var clause: String {
        explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation
    }
}
