import Gauge
import Notation

/// The reason why the image of an item is not shown.
package struct ItemFailure: Error, Sendable, Hashable {
    package let errorClass: ErrorClass
    /// The name of the stage in which the item failed, as in the run record.
    package let stage: String
    /// The error text of a library or the system, without passwords.
    package let reason: String
    /// The remedy of the tool. A program that uses the library needs another one.
    package let remedy: String?
    /// The HTTP status, for the classes that have one.
    package let status: Int?
    package let isRetryable: Bool
    /// The underlying error, for programs that use the library.
    package let cause: Cause?

    package init(
        _ errorClass: ErrorClass, stage: RunStage, detail: String = "", remedy: String? = nil,
        status: Int? = nil, isRetryable: Bool? = nil, cause: (any Error)? = nil
    ) {
        self.errorClass = errorClass
        self.stage = stage.rawValue
        reason = detail.isEmpty ? detail : SourceMask.inside(message: detail)
        self.remedy = remedy
        self.status = status
        self.isRetryable = isRetryable ?? errorClass.isRetryable
        self.cause = cause.map { Cause(error: $0) }
    }

    /// Creates the failure of a source that cannot be read or loaded.
    package init(
        _ errorClass: ErrorClass, _ reason: String = "", remedy: String? = nil,
        status: Int? = nil, isRetryable: Bool? = nil
    ) {
        let stage: RunStage =
            switch errorClass {
            case .dns: .dns
            case .connect, .tls: .connect
            default: .fetch
            }
        self.init(
            errorClass, stage: stage, detail: reason, remedy: remedy, status: status,
            isRetryable: isRetryable)
    }

    package init(noIcon name: String) {
        self.init(.notFound, "unknown built-in icon \(PrintableText.escaped(name))")
    }

    /// The reason with the remedy of the tool. It is written to the journal, but not to the
    /// manifest, whose texts are fixed.
    package var detail: String {
        remedy.map { "\(Self.clause(reason)); \($0)" } ?? reason
    }

    /// The message in the manifest: fixed for each class and status, except for unusable rows,
    /// where it says what is wrong with the row.
    package var message: String {
        if errorClass == .badRow, !detail.isEmpty { return detail }
        return status.map(Self.text(ofStatus:)) ?? errorClass.message
    }

    /// The most exact text that is known: the detail, or the message if there is no detail or only
    /// the number of the HTTP status.
    package var explanation: String {
        detail.isEmpty || detail == status.map(String.init) ? message : detail
    }

    /// The explanation without its final full stop, for use within a sentence.
    package var clause: String { Self.clause(explanation) }

    private static func clause(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The underlying error. All causes compare equal, so a cause does not make two failures
    /// differ.
    package struct Cause: Hashable, Sendable {
        package let error: any Error

        package static func == (one: Cause, other: Cause) -> Bool { true }
        package func hash(into hasher: inout Hasher) {}
    }
}

extension ItemFailure: CustomStringConvertible {
    package var description: String { explanation }
}

extension ItemFailure {
    /// Returns a status with its reason phrase. The phrase that a server sends is untrusted and
    /// never shown.
    static func text(ofStatus status: Int) -> String {
        phrases[status].map { "\(status) \($0)" } ?? "\(status)"
    }

    private static let phrases: [Int: String] = [
        101: "Switching Protocols", 204: "No Content", 205: "Reset Content",
        206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 304: "Not Modified", 305: "Use Proxy", 307: "Temporary Redirect",
        308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        506: "Variant Also Negotiates", 507: "Insufficient Storage", 508: "Loop Detected",
        511: "Network Authentication Required",
    ]
}
