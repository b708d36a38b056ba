/// A text as a POSIX shell takes it for one word, for commands that people copy.
package enum ShellWord {
    /// As it is where that is plain, else between single quotes.
    package static func quoted(_ text: some CustomStringConvertible) -> String {
        let text = "\(text)"
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/._-+:@%,=".unicodeScalars.contains(scalar)
            }
        return isPlain ? text : inQuotes(text)
    }

    /// Returns the text between single quotes.
    package static func inQuotes(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
