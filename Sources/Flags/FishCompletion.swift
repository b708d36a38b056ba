import Notation

/// Completion for fish, one line an option.
struct FishCompletion {
    private let tool: Tool

    init(_ tool: Tool) { self.tool = tool }

    var script: String {
        var text =
            "# fish completion for \(tool.name); load with: \(tool.name) completions fish | source\n"
        text += "complete -c \(tool.name) -f\n"
        for family in tool.families {
            let summary = tool.members(of: family).map(\.summary).joined(separator: "; ")
            text += line("__fish_use_subcommand", "-a \(family)", summary)
        }
        text += line("__fish_use_subcommand", "-a help", "show the options of a command")
        text += line("__fish_use_subcommand", "-l help", "show the commands")
        text += line("__fish_use_subcommand", "-l version", "show the version")
        text += line(
            "__fish_seen_subcommand_from help", "-a '\(tool.families.joined(separator: " "))'", "")
        for command in tool.commands { text += lines(command) }
        return text
    }

    private func lines(_ command: Command) -> String {
        let words = command.words
        var condition = "__fish_seen_subcommand_from \(words[0])"
        var text = ""
        if words.count > 1 {
            let seconds = tool.members(of: words[0]).compactMap { $0.words.dropFirst().first }
            let free =
                "\(condition); and not __fish_seen_subcommand_from \(seconds.joined(separator: " "))"
            text += line(free, "-a \(words[1])", command.summary)
            condition += "; and __fish_seen_subcommand_from \(words[1])"
        }
        if command.operands.count.upperBound > 0 {
            let choices = command.operands.words.joined(separator: " ")
            text += line(condition, choices.isEmpty ? "-F" : "-a '\(choices)'", "")
        }
        for flag in command.flags {
            var option = "-l \(flag.name)"
            if let short = flag.short { option += " -s \(short)" }
            text += line(condition, option + value(flag), flag.help)
            if flag.isNegatable { text += line(condition, "-l no-\(flag.name)", flag.help) }
        }
        return text
    }

    private func value(_ flag: Flag) -> String {
        guard flag.kind.takesValue else { return "" }
        let words = Completions.words(of: flag)
        switch flag.kind {
        case .file: return " -r -F"
        case .folder: return " -x -a '(__fish_complete_directories)'"
        case _ where Completions.isList(flag):
            return " -x -a \"(__fish_append , \(words.joined(separator: " ")))\""
        default: return words.isEmpty ? " -x" : " -x -a '\(words.joined(separator: " "))'"
        }
    }

    private func line(_ condition: String, _ rest: String, _ description: String) -> String {
        let about = description.isEmpty ? "" : " -d '\(escaped(description))'"
        return "complete -c \(tool.name) -n '\(condition)' \(rest)\(about)\n"
    }

    /// fish knows two escapes between single quotes.
    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
