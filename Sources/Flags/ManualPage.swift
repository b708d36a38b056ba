/// The manual page of the tool in the language of man(7).
package enum ManualPage {
    /// The page with all commands, ready for man(1).
    package static func text(_ tool: Tool) -> String {
        let name = tool.name
        var page = ".TH \"\(name.uppercased())\" \"1\" \"\" \"\(name) \(tool.version)\" \"\"\n"
        page += ".SH NAME\n\(name) \\- \(line(tool.summary))\n"
        page += ".SH SYNOPSIS\n"
        for command in tool.commands {
            page += ".B \(line("\(name) \(command.name)"))\n"
            let rest = command.synopsis.joined(separator: " ")
            if !rest.isEmpty { page += "\(line(rest))\n" }
            page += ".br\n"
        }
        page += ".SH COMMANDS\n"
        for command in tool.commands { page += section(command, tool) }
        page += settings(tool)
        return page + exitCodes
    }

    private static func section(_ command: Command, _ tool: Tool) -> String {
        var page = ".SS \"\(line("\(tool.name) \(command.name)"))\"\n"
        page += "\(line(sentence(command.summary)))\n"
        for paragraph in command.discussion.split(separator: "\n\n") {
            page += ".PP\n\(line(String(paragraph)))\n"
        }
        if !command.operands.help.isEmpty {
            page += ".TP\n.I \(line(command.operands.usage))\n\(line(command.operands.help))\n"
        }
        for group in command.groups {
            page += ".PP\n\(line(group)):\n"
            for flag in command.flags where flag.group == group {
                page += ".TP\n.B \(line(flag.spelling))\n\(line(HelpText.description(of: flag)))\n"
            }
        }
        for example in command.examples {
            page +=
                ".PP\n\(line(example.meaning))\n.PP\n.RS\n.nf\n\(line(example.line))\n.fi\n.RE\n"
        }
        return page
    }

    private static func settings(_ tool: Tool) -> String {
        let kept = tool.keptFromConfiguration.joined(separator: ", ")
        return """
            .SH ENVIRONMENT
            .TP
            .B \(line("\(tool.name.uppercased())_OPTION"))
            \(line("Sets an option for every run: upper case, underscores for dashes, so that "))
            \(line("\(tool.name.uppercased())_MAX_BYTES=5M stands for --max-bytes 5M. An empty value counts "))
            as not set. Flags win over it.
            .TP
            .B XDG_CACHE_HOME
            \(line("Where the folder \(tool.name) of kept answers stands; $HOME/.cache if it is not set."))
            .TP
            .B NO_COLOR, TERM=dumb
            No colour and no moving progress line.
            .SH FILES
            .TP
            .B \(line("\(tool.name).json"))
            \(line("In the working directory: one object whose keys are the long names of options. "))
            \(line("Flags and environment win over it."))
            \(line(kept.isEmpty ? "" : "It cannot set: \(kept)."))

            """
    }

    private static let exitCodes = """
        .SH EXIT STATUS
        .TP
        .B 0
        Every item has its outputs, or there was nothing to do.
        .TP
        .B 1
        An item has no output; or \\-\\-strict and a placeholder was used; or \\-\\-max\\-failures passed.
        .TP
        .B 2
        What verify found differs from the manifest; or bench \\-\\-compare found something slower.
        .TP
        .B 64, 65, 66
        Wrong usage; a malformed list or theme; an input is missing.
        .TP
        .B 69
        The confinement that was asked for is not to be had here.
        .TP
        .B 73, 74, 75
        An output cannot be created; an input-output error; nothing worked this time but may later, or another run holds the folder.
        .TP
        .B 130, 143
        Stopped by SIGINT or SIGTERM.

        """

    private static func sentence(_ phrase: String) -> String {
        (phrase.first.map { String($0).uppercased() } ?? "") + phrase.dropFirst() + "."
    }

    /// Text in which nothing is a request: dashes stay dashes, and no line begins with a dot.
    private static func line(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "…": result += "..."
            case "\n": result += " "
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}
