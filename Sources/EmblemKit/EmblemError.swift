import Artwork
import Codecs
import Engine
import FoundationEssentials
import Render
import System
import Transport

/// An error of the library.
public enum EmblemError: Error, Hashable, Sendable {
    /// The source has no URL.
    case missingURL
    /// The source could not be loaded.
    case failedToLoad(Cause)
    /// The bytes are not a recognised image, or cannot be decoded within the limits.
    case failedToDecode(Cause)
    /// Too many images wait to be drawn, or the image waited for too long. The source is not at
    /// fault; the text gives the reason.
    case busy(String)
    /// No worker process can be started now. The source is not at fault; the text gives the reason.
    case unavailable(String)
    /// The image cannot be encoded in the requested format; the text gives the reason.
    case failedToEncode(String)
    /// The component cannot be drawn, such as a text without a visible character; the text gives
    /// the reason.
    case failedToDraw(String)
    /// The file of texts cannot be used; the text gives the file, the line and the reason.
    case texts(String)
    /// The folder cannot be written to, or its contents belong to another set; the text gives the
    /// reason.
    case failedToWrite(String)
    /// The design tokens cannot be used; the text gives the line, the token and the reason.
    case theme(String)
    /// The scale is outside the range from 0.5 to 4 pixels per point; the value is the scale.
    case scaleOutOfRange(Double)
    /// The header cannot be sent; the text is its name, never its value.
    case header(String)

    /// The cause of a failure to load or to decode.
    public struct Cause: Hashable, Sendable {
        /// The error class as in the manifest, such as `http_4xx` or `corrupt`.
        public let errorClass: String
        /// The HTTP status, if the server's response is the cause.
        public let status: Int?
        /// The details as text, without credentials.
        public let reason: String
        /// Whether a later retry can succeed.
        public let isRetryable: Bool

        /// Creates a cause, for loaders that report their own failures.
        ///
        /// - Parameters:
        ///   - errorClass: A class of the manifest, or a custom name.
        ///   - status: The HTTP status, if a server's response is the cause.
        ///   - reason: The details as text, without credentials.
        ///   - isRetryable: Whether a retry can succeed; `nil` means the default of the class, and
        ///     `false` for a class that is not in the manifest.
        public init(
            errorClass: String, status: Int? = nil, reason: String, isRetryable: Bool? = nil
        ) {
            self.errorClass = errorClass
            self.status = status
            self.reason = reason
            self.isRetryable =
                isRetryable ?? ErrorClass(rawValue: errorClass)?.isRetryable ?? false
        }
    }
}

extension EmblemError {
    /// The error class for logs and counters. <doc:Servers> lists all classes.
    public var errorClass: String {
        switch self {
        case .missingURL: "missing_url"
        case .failedToLoad(let cause), .failedToDecode(let cause): cause.errorClass
        case .busy: "busy"
        case .unavailable: "unavailable"
        case .failedToEncode: "failed_to_encode"
        case .failedToDraw: "failed_to_draw"
        case .failedToWrite: "failed_to_write"
        case .texts: "texts"
        case .theme: "theme"
        case .scaleOutOfRange: "scale_out_of_range"
        case .header: "header"
        }
    }

    /// Whether the same call can succeed later.
    public var isRetryable: Bool {
        switch self {
        case .failedToLoad(let cause), .failedToDecode(let cause): cause.isRetryable
        case .busy, .unavailable: true
        default: false
        }
    }
}

extension EmblemError: LocalizedError {
    public var errorDescription: String? { description }
}

extension EmblemError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingURL: "There is no URL to load from."
        case .failedToLoad(let cause): "The picture was not loaded: \(cause)."
        case .failedToDecode(let cause): cause.reason
        case .busy(let reason), .unavailable(let reason), .failedToEncode(let reason),
            .failedToDraw(let reason), .failedToWrite(let reason), .texts(let reason),
            .theme(let reason):
            reason
        case .scaleOutOfRange(let scale):
            "A scale must be from 0.5 to 4 pixels per point, not \(scale)."
        case .header(""): "A header has no name."
        case .header(let name):
            "The header \(name) cannot be sent: it is empty, has a forbidden character, or is set "
                + "by the transfer itself."
        }
    }
}

extension EmblemError.Cause: CustomStringConvertible {
    public var description: String {
        let head = status.map { "status \($0)" } ?? errorClass
        let words = reason.last == "." ? reason.dropLast() : reason[...]
        return words.isEmpty ? head : "\(head), \(words)"
    }
}

/// Conversions from errors of lower modules. The texts name settings of the library only.
extension EmblemError {
    package init(_ failure: ItemFailure) {
        self =
            failure.errorClass == .missingURL
            ? .missingURL
            : .failedToLoad(
                Cause(
                    errorClass: failure.errorClass.rawValue, status: failure.status,
                    reason: failure.libraryReason, isRetryable: failure.isRetryable))
    }

    package init(_ error: DecodeError) {
        self = .failedToDecode(error.libraryReason, ErrorClass(error))
    }

    static func failedToDecode(
        _ reason: String, _ errorClass: ErrorClass = .corrupt, isRetryable: Bool? = nil
    ) -> EmblemError {
        .failedToDecode(
            Cause(errorClass: errorClass.rawValue, reason: reason, isRetryable: isRetryable))
    }

    package init(_ error: RenderError) {
        switch error {
        case .decode(let cause): self.init(cause)
        case .tooLarge: self = .failedToDecode("\(error)", .limitDecode)
        case .encode, .stopped: self = .failedToEncode("\(error)")
        }
    }

    package init(_ error: ArtworkError) {
        switch error {
        case .drawing(let cause): self.init(cause)
        case .encoding(let cause): self = .failedToEncode("\(cause)")
        case .fonts, .tooLarge, .cairoFailed: self = .failedToDraw("\(error)")
        }
    }

    static func drawing<Result>(
        _ body: () throws(ArtworkError) -> Result
    ) throws(EmblemError) -> Result {
        try rethrowing(as: EmblemError.init, body)
    }

    static func encoding<Result>(
        _ body: () throws(EncodeError) -> Result
    ) throws(EmblemError) -> Result {
        try rethrowing(as: { EmblemError.failedToEncode("\($0)") }, body)
    }

    /// The error for a source that is not cached and must not be requested.
    static let offline = EmblemError(ItemFailure.notInCache)
}

extension ItemFailure {
    /// The reason, with the library's remedy instead of the tool's.
    var libraryReason: String {
        switch errorClass {
        case .tooLarge where remedy != nil: "\(reason), which is the limit"
        case .unreadable where remedy != nil:
            "\(reason); use a smaller EmblemBatch.concurrency, or a higher `ulimit -n`"
        default: reason
        }
    }
}

extension DecodeError {
    /// The reason, with settings of the library instead of options of the tool.
    fileprivate var libraryReason: String {
        switch self {
        case .truncated: "The data ends before the last pixel; load it again."
        case .limitPixels:
            "The picture declares more pixels than Decoding.pixelsLimit allows (half of that for a "
                + "progressive JPEG), or a too long side."
        default: "\(self)"
        }
    }
}
