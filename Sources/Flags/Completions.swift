import Notation

/// Shell scripts that complete commands, options and values.
package enum Completions {
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    package static func script(_ tool: Tool, for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(tool).script
        case .zsh: ZshCompletion(tool).script
        case .fish: FishCompletion(tool).script
        }
    }
}

extension Flag {
    /// The words to complete a value with; empty if no words are known.
    fileprivate var words: [String] { shape.words + shape.offers }
}

/// Completion for bash 4 and later, without the bash-completion package.
struct BashCompletion {
    private let tool: Tool

    init(_ tool: Tool) { self.tool = tool }

    var script: String {
        """
        # bash completion for \(tool.name); load with: eval "$(\(tool.name) completions bash)"
        _\(tool.name)() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
            local command=${COMP_WORDS[1]} second=${COMP_WORDS[2]} word=
            # bash splits at '=', so --flag=value arrives as three words.
            if [[ $current == "=" ]]; then current=; fi
            if [[ $previous == "=" ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
            # So it does at ':', and what stands before it stays.
            local stem=
            if [[ $current == ":" ]]; then
                stem=$previous:; current=; previous=${COMP_WORDS[COMP_CWORD-2]}
            elif [[ $previous == ":" ]]; then
                stem=${COMP_WORDS[COMP_CWORD-2]}:; previous=${COMP_WORDS[COMP_CWORD-3]}
            fi
            if [[ $previous == "=" && -n $stem ]]; then
                previous=${COMP_WORDS[COMP_CWORD-4]}
                if [[ -z $current ]]; then previous=${COMP_WORDS[COMP_CWORD-3]}; fi
            fi
            COMPREPLY=()
            if [[ $COMP_CWORD -eq 1 ]]; then
                COMPREPLY=($(compgen -W '\(tool.families.joined(separator: " ")) help --help --version' -- "$current"))
                return
            fi
            if [[ $command == help && $COMP_CWORD -eq 2 ]]; then
                COMPREPLY=($(compgen -W '\(tool.families.joined(separator: " "))' -- "$current"))
                return
            fi
        \(helpWords)\(secondWords)    case "$command $second" in
        \(tool.commands.map(branch).joined())    *) return ;;
            esac
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "$flags" -- "$current"))
            elif [[ -n $words ]]; then
                local head=; local last=$current
                if [[ -n $stem ]]; then
                    local all=$words; words=
                    for word in $all; do
                        if [[ $word == "$stem"* ]]; then words+=" ${word#"$stem"}"; fi
                    done
                fi
                if [[ $list == 1 && $current == *,* ]]; then
                    head=${current%,*},; last=${current##*,}
                    local rest=$words; words=
                    for word in $rest; do
                        if [[ ,$head != *",$word,"* ]]; then words+=" $word"; fi
                    done
                fi
                COMPREPLY=($(compgen -P "$head" -W "$words" -- "$last"))
            elif [[ $kind == folder ]]; then
                COMPREPLY=($(compgen -d -- "$current"))
            elif [[ $kind != text ]]; then
                COMPREPLY=($(compgen -f -- "$current"))
            fi
        }
        complete -o filenames -o bashdefault -F _\(tool.name) \(tool.name)

        """
    }

    private var helpWords: String {
        secondWordBranches { "$command == help && $second == \($0) && $COMP_CWORD -eq 3" }
    }

    /// Completes the second word of commands in a family.
    private var secondWords: String {
        secondWordBranches { "$command == \($0) && $COMP_CWORD -eq 2" }
    }

    private func secondWordBranches(_ condition: (String) -> String) -> String {
        var text = ""
        for family in tool.families {
            let words = tool.members(of: family).compactMap { $0.words.dropFirst().first }
            guard !words.isEmpty else { continue }
            text += "    if [[ \(condition(family)) ]]; then\n"
            text +=
                "        COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"))\n"
            text += "        return\n    fi\n"
        }
        return text
    }

    private func branch(_ command: Command) -> String {
        let pattern = command.words.count == 1 ? "'\(command.name) '*" : "'\(command.name)'"
        let flags = command.flags.flatMap(\.spellings) + ["--help"]
        var text = "    \(pattern))\n"
        text += "        local flags='\(flags.joined(separator: " "))' words= list=0 kind=\n"
        text += "        case $previous in\n"
        for flag in command.flags where flag.shape.takesValue && flag.bareValue == nil {
            let spellings = flag.spellings.joined(separator: "|")
            text += "        \(spellings)) \(value(flag)) ;;\n"
        }
        let words = command.operands.words.joined(separator: " ")
        text += "        *) words='\(words)' ;;\n        esac ;;\n"
        return text
    }

    private func value(_ flag: Flag) -> String {
        let words = flag.words.joined(separator: " ")
        if !words.isEmpty { return "words='\(words)' list=\(flag.shape.isList ? 1 : 0)" }
        switch flag.shape.files {
        case .file: return "kind=file"
        case .folder: return "kind=folder"
        case .none: return "kind=text"
        }
    }
}

/// Completion for zsh, with the help of each option.
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
            for spelling in flag.spellings { text += option(flag, spelling) }
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
        // `=-` needs the value after '=', and a second colon makes it optional.
        let isOptional = flag.bareValue != nil
        if flag.shape.takesValue && spelling.hasPrefix("--") { spec += isOptional ? "=-" : "=" }
        spec += "[\(help)]"
        if flag.shape.takesValue {
            spec += "\(isOptional ? "::" : ":")\(flag.placeholder.lowercased()):\(action(flag))"
        }
        return "        \(ShellWord.inQuotes(spec)) \\\n"
    }

    private func action(_ flag: Flag) -> String {
        // A colon ends the action for a value.
        let words = flag.words.joined(separator: " ")
            .replacing(":", with: "\\:")
        switch flag.shape.files {
        case .file: return "_files"
        case .folder: return "_files -/"
        case _ where flag.shape.isList && !words.isEmpty: return "_sequence compadd - \(words)"
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

/// Completion for fish, with one line for each option.
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
        }
        return text
    }

    private func value(_ flag: Flag) -> String {
        guard flag.shape.takesValue, flag.bareValue == nil else { return "" }
        let words = flag.words
        switch flag.shape.files {
        case .file: return " -r -F"
        case .folder: return " -x -a '(__fish_complete_directories)'"
        case _ where flag.shape.isList && !words.isEmpty:
            return " -x -a \"(__fish_append , \(words.joined(separator: " ")))\""
        default: return words.isEmpty ? " -x" : " -x -a '\(words.joined(separator: " "))'"
        }
    }

    private func line(_ condition: String, _ rest: String, _ description: String) -> String {
        let about = description.isEmpty ? "" : " -d '\(escaped(description))'"
        return "complete -c \(tool.name) -n '\(condition)' \(rest)\(about)\n"
    }

    /// Between single quotes, fish has only the escapes `\\` and `\'`.
    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
