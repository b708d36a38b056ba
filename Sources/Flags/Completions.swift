import Notation

/// A shell for which a script completes commands, options and values.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}

extension Tool {
    package func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: bashCompletion
        case .zsh: zshCompletion
        case .fish: fishCompletion
        }
    }
}

extension Flag {
    /// The words to complete a value with; empty if no words are known.
    fileprivate var words: [String] { shape.words + shape.offers }
}

// MARK: Bash

extension Tool {
    /// Completion for bash 4 and later, without the bash-completion package.
    private var bashCompletion: String {
        """
        # bash completion for \(name); load with: eval "$(\(name) completions bash)"
        _\(name)() {
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
                COMPREPLY=($(compgen -W '\(families.joined(separator: " ")) help --help --version' -- "$current"))
                return
            fi
            if [[ $command == help && $COMP_CWORD -eq 2 ]]; then
                COMPREPLY=($(compgen -W '\(families.joined(separator: " "))' -- "$current"))
                return
            fi
        \(bashSecondWords)    case "$command $second" in
        \(commands.map(bashBranch).joined())    *) return ;;
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
        complete -o filenames -o bashdefault -F _\(name) \(name)

        """
    }

    /// Completes the second word of commands in a family, also after `help`.
    private var bashSecondWords: String {
        families.map { family in
            let words = secondWords(of: family).joined(separator: " ")
            return words.isEmpty
                ? ""
                : """
                    if [[ $command == \(family) && $COMP_CWORD -eq 2 ||
                            $command == help && $second == \(family) && $COMP_CWORD -eq 3 ]]; then
                        COMPREPLY=($(compgen -W '\(words)' -- "$current"))
                        return
                    fi

                """
        }.joined()
    }

    private func bashBranch(_ command: Command) -> String {
        let pattern = command.words.count == 1 ? "'\(command.name) '*" : "'\(command.name)'"
        let flags = command.flags.flatMap(\.spellings) + ["--help"]
        var text = "    \(pattern))\n"
        text += "        local flags='\(flags.joined(separator: " "))' words= list=0 kind=\n"
        text += "        case $previous in\n"
        for flag in command.flags where flag.shape.takesValue && flag.bareValue == nil {
            let spellings = flag.spellings.joined(separator: "|")
            text += "        \(spellings)) \(bashValue(flag)) ;;\n"
        }
        let words = command.operands.words.joined(separator: " ")
        text += "        *) words='\(words)' ;;\n        esac ;;\n"
        return text
    }

    private func bashValue(_ flag: Flag) -> String {
        let words = flag.words.joined(separator: " ")
        if !words.isEmpty { return "words='\(words)' list=\(flag.shape.isList ? 1 : 0)" }
        switch flag.shape.files {
        case .file: return "kind=file"
        case .folder: return "kind=folder"
        case .none: return "kind=text"
        }
    }
}

// MARK: Zsh

extension Tool {
    /// Completion for zsh, with the help of each option.
    private var zshCompletion: String {
        var text = "#compdef \(name)\n"
        text +=
            "# zsh completion for \(name); put it as _\(name) into a folder of $fpath\n"
        for command in commands { text += zshFunction(command) }
        for family in families {
            let members = members(of: family).filter { $0.words.count > 1 }
            if !members.isEmpty { text += zshChooser(family, members) }
        }
        text += "_\(name)() {\n    local -a commands=(\n"
        for family in families {
            let summary = members(of: family).map(\.summary).joined(separator: "; ")
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
        for family in families { text += "        \(family)) _\(name)_\(family) ;;\n" }
        return text + "    esac\n}\ncompdef _\(name) \(name)\n"
    }

    private func zshFunction(_ command: Command) -> String {
        let words = command.words.joined(separator: "_")
        var text = "_\(name)_\(words)() {\n    _arguments -s -S \\\n"
        for flag in command.flags {
            for spelling in flag.spellings { text += zshOption(flag, spelling) }
        }
        text += "        '--help[show the options]'"
        if command.operands.count.upperBound > 0 {
            let words = command.operands.words
            let action = words.isEmpty ? "_files" : "(\(words.joined(separator: " ")))"
            text += " \\\n        '*:argument:\(action)'"
        }
        return text + "\n}\n"
    }

    private func zshOption(_ flag: Flag, _ spelling: String) -> String {
        let help = flag.help.replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
        var spec = (flag.isRepeatable ? "*" : "") + spelling
        // `=-` needs the value after '=', and a second colon makes it optional.
        let isOptional = flag.bareValue != nil
        if flag.shape.takesValue && spelling.hasPrefix("--") { spec += isOptional ? "=-" : "=" }
        spec += "[\(help)]"
        if flag.shape.takesValue {
            spec += "\(isOptional ? "::" : ":")\(flag.placeholder.lowercased()):\(zshAction(flag))"
        }
        return "        \(ShellWord.inQuotes(spec)) \\\n"
    }

    private func zshAction(_ flag: Flag) -> String {
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

    private func zshChooser(_ family: String, _ members: [Command]) -> String {
        var text = "_\(name)_\(family)() {\n    local -a commands=(\n"
        for command in members {
            let word = command.words.dropFirst().joined(separator: " ")
            text += "        \(ShellWord.inQuotes("\(word):\(command.summary)"))\n"
        }
        text += "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
        text += "        return\n    fi\n    local command=$words[2]\n"
        text += "    (( CURRENT-- )); shift words\n    case $command in\n"
        for command in members {
            let word = command.words.dropFirst().joined(separator: "_")
            text += "        \(word)) _\(name)_\(family)_\(word) ;;\n"
        }
        return text + "    esac\n}\n"
    }
}

// MARK: Fish

extension Tool {
    /// Completion for fish, with one line for each option.
    private var fishCompletion: String {
        var text =
            "# fish completion for \(name); load with: \(name) completions fish | source\n"
        text += "complete -c \(name) -f\n"
        for family in families {
            let summary = members(of: family).map(\.summary).joined(separator: "; ")
            text += fishLine("__fish_use_subcommand", "-a \(family)", summary)
        }
        text += fishLine("__fish_use_subcommand", "-a help", "show the options of a command")
        text += fishLine("__fish_use_subcommand", "-l help", "show the commands")
        text += fishLine("__fish_use_subcommand", "-l version", "show the version")
        text += fishLine(
            "__fish_seen_subcommand_from help", "-a '\(families.joined(separator: " "))'", "")
        for command in commands { text += fishLines(command) }
        return text
    }

    private func fishLines(_ command: Command) -> String {
        let words = command.words
        var condition = "__fish_seen_subcommand_from \(words[0])"
        var text = ""
        if words.count > 1 {
            let seconds = secondWords(of: words[0])
            let free =
                "\(condition); and not __fish_seen_subcommand_from \(seconds.joined(separator: " "))"
            text += fishLine(free, "-a \(words[1])", command.summary)
            condition += "; and __fish_seen_subcommand_from \(words[1])"
        }
        if command.operands.count.upperBound > 0 {
            let choices = command.operands.words.joined(separator: " ")
            text += fishLine(condition, choices.isEmpty ? "-F" : "-a '\(choices)'", "")
        }
        for flag in command.flags {
            var option = "-l \(flag.name)"
            if let short = flag.short { option += " -s \(short)" }
            text += fishLine(condition, option + fishValue(flag), flag.help)
        }
        return text
    }

    private func fishValue(_ flag: Flag) -> String {
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

    private func fishLine(_ condition: String, _ rest: String, _ description: String) -> String {
        // Between single quotes, fish has only the escapes `\\` and `\'`.
        let escaped = description.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let about = description.isEmpty ? "" : " -d '\(escaped)'"
        return "complete -c \(name) -n '\(condition)' \(rest)\(about)\n"
    }
}
