import Notation

/// A command line that cannot be carried out, and what to type instead; exit code 64.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence on what is wrong, and where.
    package var message: String
    /// A sentence on what to type next.
    package var remedy: String

    package var exitCode: Int32 { 64 }

    /// Two sentences: what is wrong, and what to type.
    package init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// Both sentences, each on a line of its own.
    package var description: String { remedy.isEmpty ? message : "\(message)\n\(remedy)" }

    /// A word that nobody declared, with the nearest one that somebody did.
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
