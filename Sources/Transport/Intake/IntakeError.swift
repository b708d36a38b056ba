import Notation

/// Why a source gave no bytes.
package enum IntakeError: Error, Hashable, Sendable {
    case missingURL
    /// The text is no source; the words say what is wrong with it.
    case badURL(String)
    case unsupportedScheme(String)
    case notFound(Errno)
    /// No built-in icon has this name.
    case noIcon(String)
    /// Something is there that cannot be read as a file.
    case unreadable(String)
    case tooLarge(limit: Int)
    /// No descriptor was left; the same source may work a moment later.
    case noDescriptors(Errno)

    /// Trying again later can help.
    package var isRetryable: Bool {
        if case .noDescriptors = self { true } else { false }
    }
}

extension IntakeError: CustomStringConvertible {
    /// What happened, for the journal and for people; the manifest has fixed texts of its own.
    package var description: String {
        switch self {
        case .missingURL: "no source is given"
        case .badURL(let reason): reason
        case .unsupportedScheme(let reason): reason
        case .notFound(let cause): "\(cause)"
        case .noIcon(let name): "unknown built-in icon \(PrintableText.escaped(name))"
        case .unreadable(let reason): reason
        case .tooLarge(let limit): "it has more than \(limit) bytes; raise --max-bytes"
        case .noDescriptors(let cause): "\(cause); raise `ulimit -n`, or use fewer --jobs"
        }
    }
}
