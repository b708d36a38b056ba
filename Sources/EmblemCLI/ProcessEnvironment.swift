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
    static var codecs: CodecChoice { value(of: "EMBLEM_CODECS") == "system" ? .system : .fast }

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
}
