import Notation

package struct HelpText: Sendable {
    private let tool: Tool
    private let width: Int

    /// Creates a help whose lines are as long as the terminal, with 40 to 100 characters.
    package init(_ tool: Tool, columns: Int = 80) {
        self.tool = tool
        width = min(100, max(40, columns))
    }

    /// Returns the commands by topic, and examples.
    package func overview() -> String {
        var text = Self.indented(
            "\(tool.name) \(tool.version): \(tool.summary)", by: 0, width: width)
        text += "\nUsage: \(tool.name) COMMAND [options]\n"
        for (heading, families) in tool.topics {
            text += "\n\(heading):\n" + rows(families.map { ($0, summary(of: $0)) })
        }
        text += examples(tool.examples)
        text += "\n"
        let listed = tool.topics.flatMap(\.families)
        let others = tool.families.filter { !listed.contains($0) }.map { "'\(tool.name) \($0)'" }
        text += Self.indented(
            "'\(tool.name) help COMMAND' explains a command, and '\(tool.name) COMMAND -h' shows it "
                + "on one screen. See also \((others + tool.pages).joined(separator: ", ")).",
            by: 0, width: width)
        return text
    }

    private func summary(of family: String) -> String {
        let members = tool.members(of: family)
        guard members.count > 1 else { return members.first?.summary ?? "" }
        return members.compactMap { $0.words.last }.joined(separator: ", ")
    }

    package func family(_ word: String) -> String {
        let members = tool.members(of: word)
        var text = "Usage:\n"
        for command in members { text += "  \(usage(of: command))\n" }
        return text + "\nCommands:\n" + rows(members.map { ($0.name, $0.summary) })
    }

    package func command(_ command: Command) -> String {
        var text = opening(of: command)
        if let paragraph = command.discussion.split(separator: "\n\n").first {
            text += "\n" + Self.indented(String(paragraph), by: 0, width: width)
        }
        if !command.operands.help.isEmpty {
            text += "\nArguments:\n" + rows([(command.operands.usage, command.operands.help)])
        }
        for section in tool.sections(of: command) {
            text += "\n\(section.heading):\n"
            text += rows(section.flags.map { ($0.spelling, Self.description(of: $0)) })
        }
        text += examples(command.examples)
        if command.flags.contains(where: { !$0.details.isEmpty }) {
            text += "\n"
            text += Self.indented(
                "'\(tool.name) man' explains the options in more detail.", by: 0, width: width)
        }
        return text
    }

    private func examples(_ examples: KeyValuePairs<String, String>) -> String {
        guard !examples.isEmpty else { return "" }
        return examples.reduce("\nExamples:\n") { text, example in
            text + Self.indented(example.value, by: 2, width: width)
                + "    \(example.key)\n"
        }
    }

    private func opening(of command: Command) -> String {
        Self.indented("\(tool.name) \(command.name): \(command.summary)", by: 0, width: width)
            + "\nUsage: \(usage(of: command))\n"
    }

    /// Returns the names of all options by heading, which fits one screen for any command. The help
    /// of a command with few options is short enough to show their texts.
    package func short(_ command: Command) -> String {
        let sections = tool.sections(of: command)
        guard sections.map(\.flags.count).reduce(0, +) > 20 else { return self.command(command) }
        let column = (sections.map(\.heading.count).max() ?? 0) + 2
        var text = opening(of: command) + "\n"
        for (heading, flags) in sections {
            var left = heading
            for line in Self.lines(flags.map(Self.entry), "  ", width: width - column) {
                text += left + String(repeating: " ", count: column - left.count) + line + "\n"
                left = ""
            }
        }
        if let base = tool.command(command.base) {
            text += "\nMost options of '\(tool.name) \(base.name)' can be given, too.\n"
        }
        return text + "\n'\(tool.name) help \(command.name)' explains them.\n"
    }

    /// Returns `-q, --quality 1-100|lossless`, with the words of a short choice as the value.
    private static func entry(_ flag: Flag) -> String {
        var flag = flag
        let value = flag.shape.words.joined(separator: "|")
        if flag.shape.isChoice, value.count <= wordsWidth { flag.placeholder = value }
        return flag.spelling
    }

    private static let wordsWidth = 24

    /// Returns `emblem inspect FILE… [options]`.
    package func usage(of command: Command) -> String {
        ([tool.name, command.name] + command.synopsis).joined(separator: " ")
    }

    /// Returns the help of a flag, its allowed words and its default. Lists of more than eight
    /// words are for the manual page only.
    static func description(of flag: Flag, wordsLimit: Int = 8) -> String {
        let words = flag.shape.words
        var text = flag.help
        // A single word adds nothing to the help and the default.
        if words.count > wordsLimit {
            text += " [values: \(words.prefix(3).joined(separator: ", ")), … \(words.count) in all]"
        } else if words.count > 1 {
            text += " [values: \(words.joined(separator: ", "))]"
        }
        if flag.isRepeatable { text += " [repeatable]" }
        if let fallback = flag.fallbackText { text += " [default: \(fallback)]" }
        return text
    }

    /// Returns two columns. A text that is too wide for the first column has a separate line.
    package func rows(_ rows: [(String, String)]) -> String {
        let limit = min(30, width / 2 - 4)
        let column = 2 + (rows.map(\.0.count).filter { $0 <= limit }.max() ?? limit) + 2
        var text = ""
        for (left, right) in rows {
            let lines = Self.lines(right, width: width - column)
            let gap = column - 2 - left.count
            var rest = lines[...]
            text += "  \(left)"
            if gap >= 2, let first = rest.popFirst() {
                text += String(repeating: " ", count: gap) + first
            }
            text += "\n"
            for line in rest { text += String(repeating: " ", count: column) + line + "\n" }
        }
        return text
    }

    // MARK: Lines

    private static func lines(_ text: String, width: Int) -> [String] {
        lines(text.split(whereSeparator: { $0 == " " || $0 == "\n" }), " ", width: width)
    }

    /// Joins words to lines of at most `width` characters; a longer word has a separate line.
    private static func lines(
        _ words: [some StringProtocol], _ separator: String, width: Int
    ) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, line.count + separator.count + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : separator + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    private static func indented(_ text: String, by indent: Int, width: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return lines(text, width: max(20, width - indent)).map { margin + $0 + "\n" }.joined()
    }
}
