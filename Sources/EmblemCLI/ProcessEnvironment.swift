import Codecs
import Flags
import Glibc
import Notation

enum ProcessEnvironment {
    /// The environment variables that the tool reads apart from its options.
    static var toolVariables: [String: String] {
        values([
            "NO_COLOR", "TERM", "COLUMNS", "HOME", "XDG_CACHE_HOME", "GITHUB_ACTIONS",
            "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "SSL_CERT_FILE",
        ])
    }

    /// The codecs of `EMBLEM_CODECS`, which tests and benchmarks set to compare outputs with those
    /// of the libraries alone.
    static var codecs: CodecChoice { value(of: codecsVariable) == "system" ? .system : .fast }

    private static let codecsVariable = "EMBLEM_CODECS"

    /// Returns the environment variables that set options, such as `EMBLEM_JOBS`.
    static func settings(of tool: Tool) -> [String: String] {
        values(tool.variables.map(tool.variable(of:)))
    }

    private static func values(_ names: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for name in names { values[name] = value(of: name) }
        return values
    }

    /// Returns the value of a variable that a template names.
    static func value(of name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Returns a warning for each variable that version 0.1 read as an option of the command.
    static func ignored(by command: Command, of tool: Tool) -> [String] {
        let options = command.flags.filter { CommandDeclarations.batch.flags.contains($0) }
        let declared = options.filter { !tool.variables.contains($0.name) }.map { flag in
            (
                flag.name,
                flag.isInConfiguration
                    ? "write \"\(flag.name)\" to emblem.json" : "type --\(flag.name)"
            )
        }
        let gone = GoneNames.rows.filter { $0.name.hasPrefix("--") && !$0.name.contains(" ") }.map {
            ($0.name.dropFirst(2).description, $0.instead)
        }
        return (declared + gone).compactMap { name, instead in
            let variable = tool.variable(of: name)
            return variable == codecsVariable || value(of: variable) == nil
                ? nil : "\(variable) has no effect; \(instead)"
        }
    }
}
