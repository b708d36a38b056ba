import Notation

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

    /// The help of a member of a family.
    private var helpWords: String {
        seconds { "$command == help && $second == \($0) && $COMP_CWORD -eq 3" }
    }

    /// Where commands form a family, the second word is one of them.
    private var secondWords: String { seconds { "$command == \($0) && $COMP_CWORD -eq 2" } }

    private func seconds(_ condition: (String) -> String) -> String {
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
        let flags = command.flags.flatMap(Completions.spellings) + ["--help"]
        var text = "    \(pattern))\n"
        text += "        local flags='\(flags.joined(separator: " "))' words= list=0 kind=\n"
        text += "        case $previous in\n"
        for flag in command.flags where flag.kind.takesValue {
            let spellings = Completions.spellings(of: flag).joined(separator: "|")
            text += "        \(spellings)) \(value(flag)) ;;\n"
        }
        let words = command.operands.words.joined(separator: " ")
        text += "        *) words='\(words)' ;;\n        esac ;;\n"
        return text
    }

    private func value(_ flag: Flag) -> String {
        let words = Completions.words(of: flag).joined(separator: " ")
        if !words.isEmpty { return "words='\(words)' list=\(Completions.isList(flag) ? 1 : 0)" }
        switch flag.kind {
        case .file: return "kind=file"
        case .folder: return "kind=folder"
        default: return "kind=text"
        }
    }
}
