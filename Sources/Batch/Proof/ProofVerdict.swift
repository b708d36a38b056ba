/// The reason why an output cannot be made again.
package enum ProofGap: String, Sendable {
    case sourceGone = "source_gone"
    case sourceChanged = "source_changed"
    case sourceMasked = "source_masked"
    case standardInput = "standard_input"
    case notCached = "not_cached"
    /// The record names a domain or a site, and not the URL of its image.
    case noURL = "no_url"
    case placeholderFile = "placeholder_file"
    /// The output differs, and another version of the tool or of a library made it.
    case version
    /// Drawing exceeded a limit, which depends on the machine.
    case limit
    /// The proof was stopped before it made the output.
    case stopped

    package var text: String {
        switch self {
        case .sourceGone: "the source is gone"
        case .sourceChanged: "the source has changed"
        case .sourceMasked: "the record hides a part of the URL"
        case .standardInput: "the source was standard input"
        case .notCached: "the cache no longer has the source"
        case .noURL: "the record does not have the URL of the image"
        case .placeholderFile: "the file of its placeholder is gone or has changed"
        case .version: "another version of the tool or its libraries made it, with other bytes"
        case .limit: "drawing exceeded a limit"
        case .stopped: "the proof stopped first"
        }
    }
}

/// The result of making one output again.
package enum ProofVerdict: Sendable, Hashable {
    case equal
    /// The file is missing, or its bytes differ from the manifest.
    case fileDiffers(String)
    /// The file matches the manifest, but the output that was made again has other bytes.
    case outputDiffers
    case unproved(ProofGap)
}

package struct ProofFinding: Sendable {
    package let path: String
    package let id: String
    /// The source of the item, as in the manifest.
    package let source: String
    package let verdict: ProofVerdict
}
