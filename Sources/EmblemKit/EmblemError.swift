import Artwork
import Codecs
import Render
import Transport

/// Why the library could not do what was asked.
public enum EmblemError: Error, Hashable, Sendable {
    /// There is no URL to load from.
    case missingURL
    /// The source gave no bytes.
    case failedToLoad(Cause)
    /// The bytes are no picture, or one that cannot be shown; the text says why.
    case failedToDecode(String)
    /// The pixels cannot be written in the format asked for; the text says why.
    case failedToEncode(String)
    /// The component cannot be drawn, as a text without a character that can be seen; the text
    /// says why.
    case failedToDraw(String)
    /// The file of texts cannot be used; the text says where and why.
    case texts(String)
    /// The design tokens cannot be used; the text says where and why.
    case theme(String)
    /// A scale at which nothing is drawn, with its value: pixels a point are from 0.5 to 4.
    case scaleOutOfRange(Double)
    /// A header line that cannot be sent; the text names it, never its value.
    case header(String)

    /// What kept a source from being loaded.
    public struct Cause: Hashable, Sendable {
        /// The class under which a manifest lists the failure, such as `http_4xx` or `dns`.
        public let errorClass: String
        /// The status of the answer, where it was the answer that was wrong.
        public let status: Int?
        /// The particulars in words, without credentials.
        public let reason: String
        /// Trying again later can help.
        public let isRetryable: Bool
    }
}

extension EmblemError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingURL: "There is no URL to load from."
        case .failedToLoad(let cause): "The picture was not loaded: \(cause)."
        case .failedToDecode(let reason): reason
        case .failedToEncode(let reason): reason
        case .failedToDraw(let reason): reason
        case .texts(let reason): reason
        case .theme(let reason): reason
        case .scaleOutOfRange(let scale):
            "A scale is from 0.5 to 4 pixels a point, not \(scale)."
        case .header(let name): "The header \(name) holds a character that cannot be sent."
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

extension EmblemError {
    init(_ failure: NetworkFailure) {
        let status: Int? =
            switch failure.kind {
            case .http4xx(let status), .http5xx(let status): status
            case .rateLimited: 429
            default: nil
            }
        self =
            failure.kind == .missingURL
            ? .missingURL
            : .failedToLoad(
                Cause(
                    errorClass: failure.kind.className, status: status, reason: failure.detail,
                    isRetryable: failure.isPassing))
    }

    init(_ error: IntakeError) {
        self =
            error == .missingURL
            ? .missingURL
            : .failedToLoad(
                Cause(
                    errorClass: error.className, status: nil, reason: "\(error)",
                    isRetryable: error.isRetryable))
    }

    init(_ error: DecodeError) {
        self = .failedToDecode("\(error)")
    }

    init(_ error: RenderError) {
        switch error {
        case .decode(let cause): self.init(cause)
        case .encode, .stopped: self = .failedToEncode("\(error)")
        }
    }

    init(_ error: ArtworkError) {
        switch error {
        case .drawing(let cause): self.init(cause)
        case .encoding(let cause): self = .failedToEncode("\(cause)")
        case .fonts, .noText, .tooLarge: self = .failedToDraw("\(error)")
        }
    }

    /// Runs `body`, its errors as ours.
    static func drawing<Result>(
        _ body: () throws(ArtworkError) -> Result
    ) throws(EmblemError) -> Result {
        do throws(ArtworkError) {
            return try body()
        } catch {
            throw EmblemError(error)
        }
    }

    /// The same for what a decoder throws.
    static func decoding<Result: ~Copyable>(
        _ body: () throws(DecodeError) -> Result
    ) throws(EmblemError) -> Result {
        do throws(DecodeError) {
            return try body()
        } catch {
            throw EmblemError(error)
        }
    }

    /// Nothing is kept for a source, and nothing may be asked for.
    static let offline = EmblemError(NetworkFailure(.offline, "Nothing is kept for it."))
}
