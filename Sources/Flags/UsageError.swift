import Notation

/// An error in the command line, with the remedy; exit code 64.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String
    package var remedy: String

    package var exitCode: Int32 { 64 }

    package init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// Both sentences on one line, so that each line on standard error begins with its level.
    package var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }

    /// Returns an error for an unknown word, with the most similar known word.
    package static func unknown(
        _ what: String, _ word: String, among known: [String], prefix: String = "",
        fallback: String
    ) -> UsageError {
        let message = "Unknown \(what) '\(prefix)\(PrintableText.escaped(word, limit: 80))'."
        guard let nearest = Spelling.nearest(to: word, among: known) else {
            return UsageError(message, remedy: fallback)
        }
        return UsageError(message, remedy: "Did you mean '\(prefix)\(nearest)'?")
    }
}
