/// Whose code reads or writes a format: `emblem formats` and the records tell it.
package struct CodecName: Sendable {
    private let fast: String
    private let system: String

    /// The same whatever is chosen.
    init(_ code: String) {
        self.init(fast: code, system: code)
    }

    init(fast: String, system: String) {
        self.fast = fast
        self.system = system
    }

    package subscript(_ choice: CodecChoice) -> String {
        switch choice {
        case .fast: fast
        case .system: system
        }
    }
}
