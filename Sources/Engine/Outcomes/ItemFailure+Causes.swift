import Codecs
import Gauge
import Raster
import Render
import Transport

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
        // another.
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
