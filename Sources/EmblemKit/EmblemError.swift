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
    /// The folder cannot be written to, or what stands in it cannot be gone on with; the text says
    /// which and why.
    case failedToWrite(String)
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
        case .failedToWrite(let reason): reason
        case .texts(let reason): reason
        case .theme(let reason): reason
        case .scaleOutOfRange(let scale):
            "A scale is from 0.5 to 4 pixels a point, not \(scale)."
        case .header(""): "A header has no name."
        case .header(let name):
            "The header \(name) cannot be sent: it is empty, holds a character that no line may, or is "
                + "said by the transfer itself."
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
