import Codecs
import Gauge
import Raster
import Render
import Transport

/// The reason why the image of an item is not shown.
package struct ItemFailure: Error, Sendable, Hashable {
    package let errorClass: ErrorClass
    /// The name of the stage in which the item failed, as in the run record.
    package let stage: String
    /// The error text of a library or the system. It is written to the journal, but not to the
    /// manifest, whose texts are fixed.
    package private(set) var detail: String
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

    /// The most exact text that is known: the detail, or the message if there is no detail or only
    /// the number of the HTTP status.
    package var explanation: String {
        detail.isEmpty || detail == status.map(String.init) ? message : detail
    }

    /// The explanation without its final full stop, for use within a sentence.
    package var clause: String {
        explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation
    }
}

extension ItemFailure {
    /// The underlying error. All causes compare equal, so a cause does not make two failures
    /// differ.
    package struct Cause: Hashable, Sendable {
        package let error: any Error

        package static func == (one: Cause, other: Cause) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }

    init(_ error: IntakeError) {
        self.init(ErrorClass(error), stage: .fetch, detail: "\(error)", cause: error)
    }

    package init(_ error: NetworkFailure) {
        var status: Int?
        if case .http4xx(let answer) = error.kind { status = answer }
        if case .http5xx(let answer) = error.kind { status = answer }
        if error.kind == .rateLimited { status = 429 }
        let stage: RunStage =
            switch error.kind {
            case .dns: .dns
            case .connect, .tls: .connect
            default: .fetch
            }
        var detail = error.detail
        // The remedy of the tool is added here, because a program that uses the library needs
        // another remedy.
        if error.kind == .blockedAddress, detail.hasSuffix(".") {
            detail = "\(detail.dropLast()); \(ErrorClass.privateRemedy)"
        }
        self.init(
            ErrorClass(error.kind), stage: stage, detail: detail, status: status,
            isRetryable: error.isPassing)
    }

    package init(_ error: DecodeError) {
        self.init(
            ErrorClass(error), stage: .decode, detail: "\(error)",
            cause: OrderError.render(.decode(error)))
    }
}

extension SourceRecord.Header {
    init(_ header: ImageHeader) {
        self.init(
            format: header.format.name, width: header.size.width, height: header.size.height,
            orientation: header.orientation.rawValue, hasAlpha: header.hasAlpha)
    }
}
