import Codecs
import Flags
import Glibc
import Notation
import Transport

enum ProcessEnvironment {
    /// The environment variables that the tool reads apart from its options.
    static var toolVariables: [String: String] {
        values([
            "NO_COLOR", "TERM", "COLUMNS", "HOME", "XDG_CACHE_HOME", "GITHUB_ACTIONS",
            "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "TRACEPARENT",
        ])
    }

    /// The codecs of `EMBLEM_CODECS`, which tests and benchmarks set to compare outputs with those
    /// of the libraries alone.
    static var codecs: CodecChoice { value(of: "EMBLEM_CODECS") == "system" ? .system : .fast }

    /// Returns the environment variables that set these options, such as `EMBLEM_JOBS`.
    static func settings(_ flags: [Flag], of tool: Tool) -> [String: String] {
        values(names(flags, of: tool))
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

    private static func names(_ flags: [Flag], of tool: Tool) -> [String] {
        flags.filter(\.isInEnvironment).map { $0.environmentName(tool: tool.name) }
    }

    /// Returns a warning for each variable that starts with `EMBLEM_` but sets no option.
    static func unknown(to tool: Tool) -> [String] {
        let prefix = tool.name.uppercased() + "_"
        let others = Set(ofOtherPrograms.map { prefix + $0 })
        let ours = namesAtStart.filter { $0.hasPrefix(prefix) && !others.contains($0) }
        guard !ours.isEmpty else { return [] }
        let known = Set(names(tool.commands.flatMap(\.flags), of: tool))
        let typed = tool.commands.flatMap(\.flags).filter { !$0.isInEnvironment }
        return ours.filter { !known.contains($0) }.sorted().map { name in
            // Options for a single run cannot come from the environment.
            if let flag = typed.first(where: { $0.environmentName(tool: tool.name) == name }) {
                return "ignoring the environment variable \(name); type --\(flag.name) with the "
                    + "command"
            }
            let nearest = Spelling.nearest(
                to: String(name.dropFirst(prefix.count)),
                among: known.map { String($0.dropFirst(prefix.count)) }.sorted()
            ).map { prefix + $0 }
            let hint = nearest.map { "; did you mean \($0)?" } ?? ""
            return
                "the environment variable \(PrintableText.escaped(name, limit: 80)) is not an "
                + "option of emblem\(hint)"
        }
    }

    /// The variables that set no option, without their prefix: those of tests, the library, the
    /// Python package and the build.
    private static let ofOtherPrograms = ["CODECS", "WORKER", "PROGRAM", "WARNINGS"]

    /// The names of all variables that the process was started with.
    private static var namesAtStart: [String] {
        let file = FilePath("/proc/self/environ")
        guard let bytes = try? OpenFile(file).readAll(limit: 4 << 20) else { return [] }
        return bytes.split(separator: 0).map { entry in
            String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
    }
}
