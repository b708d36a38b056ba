/// The lines that the runner of GitHub Actions reads as commands, such as annotations.
package enum GitHubCommand {
    package enum Level: String, Sendable {
        case notice, warning, error
    }

    /// Returns the line of an annotation, with a line break.
    ///
    /// - Parameters:
    ///   - file: The path of the annotated file, relative to the repository.
    ///   - line: The line in this file.
    package static func annotation(
        _ level: Level, title: String, file: String?, line: Int?, _ message: String
    ) -> String {
        var properties = ["title=\(property(title))"]
        if let file { properties.append("file=\(property(file))") }
        if file != nil, let line { properties.append("line=\(line)") }
        return "::\(level.rawValue) \(properties.joined(separator: ","))::\(data(message))\n"
    }

    /// Returns a line that the runner prints and does not run. It would run a line that starts with
    /// `::` after white space, and the older form `##[` anywhere.
    package static func printable(_ line: String) -> String {
        // Compares scalars, since `:`, `#` or `[` with a combining mark would be another character.
        var shown = String.UnicodeScalarView()
        var isStart = true
        var hashes = 0
        for (place, scalar) in zip(line.unicodeScalars.indices, line.unicodeScalars) {
            if isStart, !scalar.properties.isWhitespace {
                isStart = false
                if line.unicodeScalars[place...].starts(with: "::".unicodeScalars) {
                    shown.append("\\")
                }
            }
            if scalar == "[", hashes >= 2 { shown.append("\\") }
            hashes = scalar == "#" ? hashes + 1 : 0
            shown.append(scalar)
        }
        return String(shown)
    }

    /// Escapes text after the second `::`, in which only `%` and line breaks have a meaning.
    private static func data(_ text: String) -> String { escaped(text, "%\r\n") }

    private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

    private static func escaped(_ text: String, _ signs: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            guard signs.unicodeScalars.contains(scalar) else {
                return escaped.unicodeScalars.append(scalar)
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            escaped += (scalar.value < 16 ? "%0" : "%") + digits
        }
    }
}
