import Console
import Theming
import Transport

/// A theme that an option or an argument names.
enum ThemeFile {
    private static let bytesLimit = 8 << 20
    /// A file shared with other tools may hold thousands of tokens that are none of ours.
    private static let toldLimit = 10

    static func load(_ path: String) throws -> (theme: Theme, warnings: [ThemeWarning]) {
        let bytes = try NamedFile.read(path, bytesLimit: bytesLimit)
        return try Theme.builtIn.layering(bytes, name: path)
    }

    /// Says the first of the warnings, and where to read the others.
    static func tell(of warnings: [ThemeWarning], in path: String, to messages: MessageStream) {
        for warning in warnings.prefix(toldLimit) { messages.line("\(warning)", .warning) }
        guard warnings.count > toldLimit else { return }
        messages.line(
            "\(warnings.count - toldLimit) more warnings in this file; 'emblem theme check "
                + "\(path)' lists all", .note)
    }
}
