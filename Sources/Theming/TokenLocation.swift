/// Where a token was written.
package struct TokenLocation: Hashable, Sendable {
    package var file: String
    /// The path of the token, its parts joined by dots.
    package var path: String
    /// Counted from one.
    package var line: Int

    package init(file: String, path: String, line: Int) {
        self.file = file
        self.path = path
        self.line = line
    }
}

extension TokenLocation: CustomStringConvertible {
    package var description: String { "\(file):\(line): \(path)" }
}
