/// An error of the library.
public enum EmblemError: Error, Hashable, Sendable {
    /// The source has no URL.
    case missingURL
    /// The source could not be loaded.
    case failedToLoad(Cause)
    /// The bytes are not a recognised image or cannot be decoded; the text gives the reason.
    case failedToDecode(String)
    /// The image cannot be encoded in the requested format; the text gives the reason.
    case failedToEncode(String)
    /// The component cannot be drawn, such as a text without a visible character; the text gives
    /// the reason.
    case failedToDraw(String)
    /// The file of texts cannot be used; the text gives the place and the reason.
    case texts(String)
    /// The folder cannot be written to, or its contents belong to another set; the text gives the
    /// reason.
    case failedToWrite(String)
    /// The design tokens cannot be used; the text gives the place and the reason.
    case theme(String)
    /// The scale is outside the range from 0.5 to 4 pixels per point; the value is the scale.
    case scaleOutOfRange(Double)
    /// The header cannot be sent; the text is its name, never its value.
    case header(String)

    /// The cause of a loading failure.
    public struct Cause: Hashable, Sendable {
        /// The error class as in the manifest, such as `http_4xx` or `dns`.
        public let errorClass: String
        /// The HTTP status, if the server's response is the cause.
        public let status: Int?
        /// The details as text, without credentials.
        public let reason: String
        /// Whether a later retry can succeed.
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
        case .failedToWrite(let reason): reason
        case .texts(let reason): reason
        case .theme(let reason): reason
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
