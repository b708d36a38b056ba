/// Where a value came from, so that a complaint about it can say so.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    /// With the flag as it was typed: `-o` or `--output`.
    case commandLine(String)
    case environment(String)
    case configuration(file: String, line: Int, key: String)
    case fallback(String)

    /// The origin in words, to stand before a colon.
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
    /// As it was written, unchecked.
    package var text: String
    /// Where it was written.
    package var origin: Origin

    /// A text and its origin.
    package init(_ text: String, _ origin: Origin) {
        self.text = text
        self.origin = origin
    }
}
