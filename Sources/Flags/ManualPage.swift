import Notation

extension Tool {
    /// The manual page in the man(7) format.
    package var manualPage: String {
        var page = ".TH \"\(name.uppercased())\" \"1\" \"\" \"\(name) \(version)\" \"\"\n"
        page += ".SH NAME\n\(name) \\- \(line(summary))\n"
        page += ".SH SYNOPSIS\n"
        for command in commands {
            page += ".B \(line("\(name) \(command.name)"))\n"
            let rest = command.synopsis.joined(separator: " ")
            if !rest.isEmpty { page += "\(line(rest))\n" }
            page += ".br\n"
        }
        page += ".SH COMMANDS\n"
        for command in commands { page += manualSection(command) }
        page += manualSettings
        return page + Self.exitCodes
    }

    private func manualSection(_ command: Command) -> String {
        var page = ".SS \"\(line("\(name) \(command.name)"))\"\n"
        page += "\(line(command.summary.sentence))\n"
        for paragraph in command.discussion.split(separator: "\n\n") {
            page += ".PP\n\(line(String(paragraph)))\n"
        }
        if !command.operands.help.isEmpty {
            page += ".TP\n.I \(line(command.operands.usage))\n\(line(command.operands.help))\n"
        }
        for (heading, flags) in sections(of: command) {
            page += ".PP\n\(line(heading)):\n"
            for flag in flags {
                let text = HelpText.description(of: flag, wordsLimit: .max)
                page += ".TP\n.B \(line(flag.spelling))\n\(line(text))\n"
                if !flag.details.isEmpty { page += "\(line(String(flag.details)))\n" }
            }
        }
        for (example, meaning) in command.examples {
            page += ".PP\n\(line(meaning))\n.PP\n.RS\n.nf\n\(line(example))\n.fi\n.RE\n"
        }
        return page
    }

    private var manualSettings: String {
        let kept = (commands.first?.flags ?? []).filter { !$0.isInConfiguration }
            .map(\.name).joined(separator: ", ")
        let variables = variables.map(variable(of:)).joined(separator: ", ")
        return """
            .SH ENVIRONMENT
            .TP
            .B \(line(variables))
            Each sets the option of its name. An empty value is ignored. Options on the command line override variables.
            .TP
            .B XDG_CACHE_HOME
            \(line("The parent folder of the cache folder \(name); $HOME/.cache if it is not set."))
            .TP
            .B NO_COLOR, TERM=dumb
            Disable colours and the animated progress line.
            .SH FILES
            .TP
            .B \(line("\(name).json"))
            \(line("In the working directory: one JSON object whose keys are the long names of options. "))
            \(line("Options on the command line and variables override it."))
            \(line(kept.isEmpty ? "" : "This file cannot set: \(kept)."))

            """
    }

    private static let exitCodes = """
        .SH EXIT STATUS
        .TP
        .B 0
        Success: every item has its outputs, or there was nothing to do.
        .TP
        .B 1
        An item has no output, or an option such as \\-\\-strict or \\-\\-max\\-failures turned a result into a failure.
        .TP
        .B 2
        verify or diff found a difference, or bench \\-\\-compare found a regression.
        .TP
        .B 64, 65, 66
        Wrong usage; a malformed list or theme; a missing input.
        .TP
        .B 69
        The requested sandbox or another system resource is not available.
        .TP
        .B 73, 74, 75
        An output cannot be created; an input or output error; a temporary failure, or another run holds the folder.
        .TP
        .B 130, 143
        Stopped by SIGINT or SIGTERM.

        """

    /// Escapes a text so that dashes stay dashes and no line starts a roff request.
    private func line(_ text: String) -> String {
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

extension String {
    /// The phrase as a sentence, with a capital and a full stop.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
