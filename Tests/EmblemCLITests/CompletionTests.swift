import Artwork
import EmblemCLI
import Flags
import Glibc
import Testing

@Suite struct CompletionTests {
    private let tool = CommandLineTool.tool

    @Test(
        "each shell accepts its completion script",
        arguments: Shell.allCases.filter { isThere($0.rawValue) })
    func syntax(shell: Shell) {
        let script = tool.completions(for: shell)
        #expect(run("\(shell.rawValue) -n", script) == 0)
    }

    @Test(
        "bash completion offers what fits",
        arguments: [
            ("emblem ba", "batch"), ("emblem help ver", "verify"),
            ("emblem batch --lay", "--layout"),
            ("emblem batch --layout small,l", "small,large"),
            (
                "emblem batch --layout small,large,",
                "small,large,default small,large,medium small,large,xLarge small,large,all"
            ),
            ("emblem batch --layout = me", "medium"),
            ("emblem cache cl", "clear"), ("emblem theme --j", "--json"),
            ("emblem completions f", "fish"), ("emblem render emblem --mode fi", "fit fill"),
            ("emblem batch --jobs 1", ""), ("emblem help render av", "avatar"),
            ("emblem batch --target we", "web"), ("emblem batch --target web,an", "web,android"),
            ("emblem batch --fail-on tiny", "tiny-source"),
            ("emblem render state --icon no", "none"),
            ("emblem batch --placeholder init", "initials"),
            ("emblem batch --placeholder icon : account-", "account-balance"),
            ("emblem batch --placeholder = icon : account-", "account-balance"),
            (
                "emblem batch --placeholder = icon :",
                BuiltInIcon.allCases.map(\.rawValue).joined(separator: " ")
            ),
            (
                "emblem batch --placeholder icon :",
                BuiltInIcon.allCases.map(\.rawValue).joined(separator: " ")
            ),
        ])
    func bash(words: String, offer: String) {
        let script = """
            \(tool.completions(for: .bash))
            COMP_WORDS=(\(words)); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
            _emblem
            [[ "${COMPREPLY[*]}" == "\(offer)" ]]
            """
        #expect(run("bash", script) == 0)
    }

    @Test("groff accepts the manual page without warnings", .enabled(if: isThere("groff")))
    func manual() {
        let check = "groff -man -ww -b -z -Tutf8 2>&1 | { ! grep . ; } >/dev/null"
        #expect(run(check, tool.manualPage) == 0)
    }

    /// Returns whether this machine has a program; bash is always installed.
    private static func isThere(_ program: String) -> Bool {
        program == "bash"
            || ["/bin", "/usr/bin"].contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Returns the exit status of a shell command that reads a text from standard input.
    private func run(_ command: String, _ input: String) -> Int32 {
        guard let pipe = unsafe popen(command, "w") else { return -1 }
        _ = unsafe fputs(input, pipe)
        return unsafe pclose(pipe)
    }
}
