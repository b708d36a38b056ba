import Notation

/// Completion for zsh, with the sentence of each option beside it.
struct ZshCompletion {
    private let tool: Tool

    init(_ tool: Tool) { self.tool = tool }

    var script: String {
        var text = "#compdef \(tool.name)\n"
        text +=
            "# zsh completion for \(tool.name); put it as _\(tool.name) into a folder of $fpath\n"
        for command in tool.commands { text += function(command) }
        for family in tool.families {
            let members = tool.members(of: family).filter { $0.words.count > 1 }
            if !members.isEmpty { text += chooser(family, members) }
        }
        text += "_\(tool.name)() {\n    local -a commands=(\n"
        for family in tool.families {
            let summary = tool.members(of: family).map(\.summary).joined(separator: "; ")
            text += "        \(ShellWord.inQuotes("\(family):\(summary)"))\n"
        }
        text += """
                'help:show the options of a command'
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    _arguments '--help[show the commands]' '--version[show the version]'
                    return
                fi
                local command=$words[2]
                (( CURRENT-- )); shift words
                case $command in
                    help) (( CURRENT == 2 )) && _describe command commands ;;

            """
        for family in tool.families { text += "        \(family)) _\(tool.name)_\(family) ;;\n" }
        return text + "    esac\n}\ncompdef _\(tool.name) \(tool.name)\n"
    }

    private func function(_ command: Command) -> String {
        let name = command.words.joined(separator: "_")
        var text = "_\(tool.name)_\(name)() {\n    _arguments -s -S \\\n"
        for flag in command.flags {
            for spelling in Completions.spellings(of: flag) { text += option(flag, spelling) }
        }
        text += "        '--help[show the options]'"
        if command.operands.count.upperBound > 0 {
            let words = command.operands.words
            let action = words.isEmpty ? "_files" : "(\(words.joined(separator: " ")))"
            text += " \\\n        '*:argument:\(action)'"
        }
        return text + "\n}\n"
    }

    private func option(_ flag: Flag, _ spelling: String) -> String {
        let help = flag.help.replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
        var spec = (flag.isRepeatable ? "*" : "") + spelling
        if flag.kind.takesValue && spelling.hasPrefix("--") { spec += "=" }
        spec += "[\(help)]"
        if flag.kind.takesValue { spec += ":\(flag.placeholder.lowercased()):\(action(flag))" }
        return "        \(ShellWord.inQuotes(spec)) \\\n"
    }

    private func action(_ flag: Flag) -> String {
        // A colon ends what is done for a value.
        let words = Completions.words(of: flag).joined(separator: " ")
            .replacing(":", with: "\\:")
        switch flag.kind {
        case .file: return "_files"
        case .folder: return "_files -/"
        case _ where Completions.isList(flag): return "_sequence compadd - \(words)"
        default: return words.isEmpty ? " " : "(\(words))"
        }
    }

    private func chooser(_ family: String, _ members: [Command]) -> String {
        var text = "_\(tool.name)_\(family)() {\n    local -a commands=(\n"
        for command in members {
            let word = command.words.dropFirst().joined(separator: " ")
            text += "        \(ShellWord.inQuotes("\(word):\(command.summary)"))\n"
        }
        text += "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
        text += "        return\n    fi\n    local command=$words[2]\n"
        text += "    (( CURRENT-- )); shift words\n    case $command in\n"
        for command in members {
            let word = command.words.dropFirst().joined(separator: "_")
            text += "        \(word)) _\(tool.name)_\(family)_\(word) ;;\n"
        }
        return text + "    esac\n}\n"
    }
}
