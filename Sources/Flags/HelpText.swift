import Notation

/// The help of the tool and of each command, as plain text.
package struct HelpText: Sendable {
    private let tool: Tool
    private let width: Int

    /// Lines are as long as the terminal, but at least 40 and at most 100 characters.
    package init(_ tool: Tool, columns: Int = 80) {
        self.tool = tool
        width = min(100, max(40, columns))
    }

    /// What there is to do, a line for each command.
    package func overview() -> String {
        var text = TextWrap.indented(
            "\(tool.name) \(tool.version): \(tool.summary)", by: 0, width: width)
        text += "\nUsage: \(tool.name) COMMAND [options]\n\nCommands:\n"
        text += rows(tool.commands.map { ($0.name, $0.summary) })
        text += "\n"
        text += TextWrap.indented(
            "'\(tool.name) help COMMAND' shows the options of a command, "
                + "'\(tool.name) --version' the version.", by: 0, width: width)
        return text
    }

    /// The commands that share their first word.
    package func family(_ word: String) -> String {
        let members = tool.members(of: word)
        var text = "Usage:\n"
        for command in members { text += "  \(usage(of: command))\n" }
        return text + "\nCommands:\n" + rows(members.map { ($0.name, $0.summary) })
    }

    /// Names with a sentence about each.
    package func topic(_ names: [(String, String)]) -> String { rows(names) }

    /// Everything about one command.
    package func command(_ command: Command) -> String {
        var text = TextWrap.indented(
            "\(tool.name) \(command.name): \(command.summary)", by: 0, width: width)
        text += "\nUsage: \(usage(of: command))\n"
        for paragraph in command.discussion.split(separator: "\n\n") {
            text += "\n" + TextWrap.indented(String(paragraph), by: 0, width: width)
        }
        if !command.operands.help.isEmpty {
            text += "\nArguments:\n" + rows([(command.operands.usage, command.operands.help)])
        }
        for group in command.groups {
            text += "\n\(group):\n"
            let flags = command.flags.filter { $0.group == group }
            text += rows(flags.map { ($0.spelling, Self.description(of: $0)) })
        }
        if !command.examples.isEmpty {
            text += "\nExamples:\n"
            for example in command.examples {
                text += TextWrap.indented(example.meaning, by: 2, width: width)
                text += "    \(example.line)\n"
            }
        }
        return text
    }

    /// The options of a command that most people use, a line each, and its examples.
    package func short(_ command: Command) -> String {
        guard !command.common.isEmpty else { return self.command(command) }
        var text = TextWrap.indented(
            "\(tool.name) \(command.name): \(command.summary)", by: 0, width: width)
        text += "\nUsage: \(usage(of: command))\n\n"
        text += rows(
            command.common.compactMap { option in
                command.flag(option.name).map { ($0.spelling, option.help) }
            })
        text += "\n"
        for example in command.examples.prefix(3) { text += "  \(example.line)\n" }
        return text + "\n'\(tool.name) \(command.name) --help' shows all options.\n"
    }

    /// `emblem inspect FILE… [options]`.
    package func usage(of command: Command) -> String {
        ([tool.name, command.name] + command.synopsis).joined(separator: " ")
    }

    /// The sentence of a flag, its allowed words and its default.
    static func description(of flag: Flag) -> String {
        var facts: [String] = []
        // A single word says nothing that the sentence and the default do not say.
        if flag.kind.words.count > 1 { facts.append(flag.kind.words.joined(separator: ", ")) }
        if flag.isRepeatable { facts.append("may be repeated") }
        if let text = flag.fallbackText { facts.append("default: \(text)") }
        guard !facts.isEmpty else { return flag.help }
        let sentence = flag.help.hasSuffix(".") ? String(flag.help.dropLast()) : flag.help
        return "\(sentence) (\(facts.joined(separator: "; ")))."
    }

    /// Two columns; what is too wide for the first stands on a line of its own.
    private func rows(_ rows: [(String, String)]) -> String {
        let limit = min(30, width / 2 - 4)
        let column = 2 + (rows.map(\.0.count).filter { $0 <= limit }.max() ?? limit) + 2
        var text = ""
        for (left, right) in rows {
            let lines = TextWrap.lines(right, width: width - column)
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
}
