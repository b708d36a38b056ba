import Transport

/// Why an item's own picture is not shown.
package struct ItemFailure: Error, Sendable, Hashable {
    package let errorClass: ErrorClass
    /// The stage in which it happened, as the run record names it.
    package let stage: String
    /// What the library or the system said; kept for the journal, never for the manifest.
    package let detail: String
    /// What the server answered, where that belongs to the class.
    package let status: Int?
    /// A later attempt at the same source may end otherwise.
    package let isRetryable: Bool
    /// What was thrown, for whoever can make more of it than a class.
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

    /// The sentence that stands in the manifest: fixed for each class and status, but for rows that
    /// cannot be used, of which it says what is wrong.
    package var message: String {
        if errorClass == .badRow, !detail.isEmpty { return detail }
        return status.map(StatusText.of) ?? errorClass.message
    }

    /// What happened, as exactly as anybody has said it: of what a server answered `message` says all.
    package var explanation: String { status != nil || detail.isEmpty ? message : detail }

    /// The same within a sentence.
    package var clause: String {
        explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation
    }
}
