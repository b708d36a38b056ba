import Digest
import Transport

/// What makes two sources the same: the kind, and the path or the text.
struct SourceKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Nil for what is read once only, and for rows without a source.
    init?(_ source: SourceReference?) {
        guard let source else { return nil }
        let text: [UInt8]? =
            switch source.kind {
            case .file(let path): [UInt8(ascii: "f")] + path.bytes
            case .remote, .data, .icon: [UInt8(ascii: "u")] + source.text.utf8
            case .standardInput, .given: nil
            }
        guard let text else { return nil }
        (high, low) = SHA256.hash(text.span).prefixWords
    }
}
