import Flags
import Glibc

/// The variables of the environment that mean something to the tool.
enum ProcessEnvironment {
    static func values(for tool: Tool) -> [String: String] {
        var values: [String: String] = [:]
        let options = tool.commands.flatMap(\.flags).filter(\.isInEnvironment)
        let names = Set(options.map { $0.environmentName(tool: tool.name) })
        for name in names.union(["NO_COLOR", "TERM", "COLUMNS", "HOME", "XDG_CACHE_HOME"]) {
            if let text = unsafe getenv(name) { values[name] = unsafe String(cString: text) }
        }
        return values
    }
}
