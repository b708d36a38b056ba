import Notation

/// The options of every command as Markdown tables, for the documentation.
package enum MarkdownReference {
    /// A heading for each command and a table for each group of its options.
    package static func text(_ tool: Tool) -> String {
        var text = ""
        for command in tool.commands {
            text += "## `\(tool.name) \(command.name)`\n\n\(sentence(command.summary))\n\n"
            text += "    \(HelpText(tool).usage(of: command))\n\n"
            for (heading, flags) in tool.sections(of: command) {
                text += "### \(heading)\n\n| option | meaning | default |\n|---|---|---|\n"
                for flag in flags { text += row(flag) }
                text += "\n"
            }
        }
        return text
    }

    private static func row(_ flag: Flag) -> String {
        var meaning = escaped(flag.help)
        if !flag.kind.words.isEmpty {
            meaning += " " + flag.kind.words.map { "`\($0)`" }.joined(separator: " ") + "."
        }
        if flag.isRepeatable { meaning += " May be repeated." }
        if !flag.details.isEmpty { meaning += " " + escaped(String(flag.details)) }
        return
            "| `\(escaped(flag.spelling))` | \(meaning) | \(escaped(flag.fallbackText ?? "")) |\n"
    }

    private static func sentence(_ phrase: String) -> String {
        (phrase.first.map { String($0).uppercased() } ?? "") + phrase.dropFirst() + "."
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
