import Gauge
import Transport

/// The reason why the image of an item is not shown.
package struct ItemFailure: Error, Sendable, Hashable {
    package let errorClass: ErrorClass
    /// The name of the stage in which the item failed, as in the run record.
    package let stage: String
    /// The error text of a library or the system. It is written to the journal, but not to the
    /// manifest, whose texts are fixed.
    package let detail: String
    /// The HTTP status, for the classes that have one.
    package let status: Int?
    package let isRetryable: Bool
    /// The underlying error, for programs that use the library.
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

    /// The most exact text that is known: the detail, or the message if there is an HTTP status or
    /// no detail.
    package var explanation: String { status != nil || detail.isEmpty ? message : detail }

    /// The explanation without its final full stop, for use within a sentence.
    package var clause: String {
        explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation
    }
}
