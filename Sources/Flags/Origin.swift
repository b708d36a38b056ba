/// Where a value came from, so that a complaint about it can say so.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    /// With the flag as it was typed: `-o` or `--output`.
    case commandLine(String)
    case environment(String)
    case configuration(file: String, line: Int, key: String)
    case fallback(String)

    package var description: String {
        switch self {
        case .commandLine(let spelling): spelling
        case .environment(let name): "environment variable \(name)"
        case .configuration(let file, let line, let key): "\(file) line \(line), \"\(key)\""
        case .fallback(let name): "default of --\(name)"
        }
    }
}

/// A value of an option as somebody wrote it.
package struct Setting: Hashable, Sendable {
    package var text: String
    package var origin: Origin

    package init(_ text: String, _ origin: Origin) {
        self.text = text
        self.origin = origin
    }
}
