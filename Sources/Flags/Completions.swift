import Notation

/// Scripts that let a shell finish commands, options and values.
package enum Completions {
    /// The shells that scripts are made for.
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// The whole script, to be sourced or put where the shell looks for it.
    package static func script(_ tool: Tool, for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(tool).script
        case .zsh: ZshCompletion(tool).script
        case .fish: FishCompletion(tool).script
        }
    }

    /// All spellings of a flag with their dashes.
    static func spellings(of flag: Flag) -> [String] {
        var words = ["--\(flag.name)"]
        if flag.isNegatable { words.append("--no-\(flag.name)") }
        if let short = flag.short { words.append("-\(short)") }
        return words
    }

    /// What is offered for a value; nothing where it is no word of ours.
    static func words(of flag: Flag) -> [String] { flag.kind.words + flag.offers }

    /// Several of the words may stand with commas between them.
    static func isList(_ flag: Flag) -> Bool {
        switch flag.kind {
        case .choices, .scales: true
        default: flag.offersSeveral
        }
    }

    /// Text between single quotes of a POSIX shell.
}
