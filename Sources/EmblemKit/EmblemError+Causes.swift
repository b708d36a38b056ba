import Artwork
import Codecs
import Engine
import Render
import Transport

/// Conversions from errors of lower modules. The texts name settings of the library only.
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
                    errorClass: ErrorClass(failure.kind).rawValue, status: status,
                    reason: failure.detail,
                    isRetryable: failure.isPassing))
    }

    package init(_ error: IntakeError) {
        self =
            error == .missingURL
            ? .missingURL
            : .failedToLoad(
                Cause(
                    errorClass: ErrorClass(error).rawValue, status: nil,
                    reason: error.libraryReason,
                    isRetryable: error.isRetryable))
    }

    package init(_ error: DecodeError) {
        self = .failedToDecode(error.libraryReason)
    }

    package init(_ error: RenderError) {
        switch error {
        case .decode(let cause): self.init(cause)
        case .encode, .stopped: self = .failedToEncode("\(error)")
        }
    }

    package init(_ error: ArtworkError) {
        switch error {
        case .drawing(let cause): self.init(cause)
        case .encoding(let cause): self = .failedToEncode("\(cause)")
        case .fonts, .noText, .tooLarge, .beyondCairo: self = .failedToDraw("\(error)")
        }
    }

    /// Runs `body` and converts its errors.
    static func drawing<Result>(
        _ body: () throws(ArtworkError) -> Result
    ) throws(EmblemError) -> Result {
        do throws(ArtworkError) {
            return try body()
        } catch {
            throw EmblemError(error)
        }
    }

    /// Runs `body` and converts its decoding errors.
    static func decoding<Result: ~Copyable>(
        _ body: () throws(DecodeError) -> Result
    ) throws(EmblemError) -> Result {
        do throws(DecodeError) {
            return try body()
        } catch {
            throw EmblemError(error)
        }
    }

    /// The error for a source that is not cached and must not be requested.
    static let offline = EmblemError(NetworkFailure(.offline, "Not in the cache."))
}

extension IntakeError {
    /// The reason, with the library's remedy instead of the tool's.
    var libraryReason: String {
        switch self {
        case .tooLarge(let limit): "it has more than \(limit) bytes, which is the limit"
        case .noDescriptors(let cause):
            "\(cause); use a smaller EmblemBatch.concurrency, or a higher `ulimit -n`"
        default: "\(self)"
        }
    }
}

extension DecodeError {
    /// The reason, without limits that only the tool can raise.
    fileprivate var libraryReason: String {
        switch self {
        case .truncated: "The data ends before the last pixel; load it again."
        case .limitPixels:
            "The picture declares more than \(DecodeLimits().pixels / 1_000_000) million pixels "
                + "(half of that for a progressive JPEG) or a too long side."
        default: "\(self)"
        }
    }
}
