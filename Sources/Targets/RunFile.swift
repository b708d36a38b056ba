/// The files at the top of OUT that a run writes about itself. No picture gets one of their names.
///
/// What else a run keeps for itself lies in `OutputFolder.ownName`.
package enum RunFile: String, CaseIterable, Sendable {
    case manifest = "manifest.ndjson"
    /// The manifest of the last run while this one changes files that it names.
    case previousManifest = "manifest.previous.ndjson"
    case record = "run.json"
    case report = "report.html"

    package var name: String { rawValue }

    /// Whether a name at the top of OUT, in small letters, is one of theirs.
    package static func isName(_ name: String) -> Bool { RunFile(rawValue: name) != nil }
}
