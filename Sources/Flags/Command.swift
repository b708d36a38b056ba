import Notation

/// A command with its help and its options, from which help, completions and manual pages are
/// derived.
package struct Command: Sendable {
    /// The arguments that are not options, and how many of them are accepted.
    package struct Operands: Hashable, Sendable {
        /// The form in the usage line: `[INPUT…]`.
        package var usage: String
        package var help: String
        package var count: ClosedRange<Int>
        /// The words to complete an operand with; by default files.
        package var words: [String]

        /// Creates operands; with `words`, no other value is accepted.
        package init(
            _ usage: String, count: ClosedRange<Int>, words: [String] = [], help: String
        ) {
            self.usage = usage
            self.help = help
            self.count = count
            self.words = words
        }

        package static let none = Operands("", count: 0...0, help: "")
    }

    /// The name: one word, or two for a member of a family, such as `render badge`.
    package var name: String
    package var summary: String
    private let discussionText: @Sendable () -> String
    package var operands: Operands
    private let declaredFlags: @Sendable () -> [[Flag]]
    /// Options that the usage line shows individually, because most command lines have them.
    package var prominent: [String]
    /// Command lines that can be typed as they are, each with its effect; the most common one
    /// first.
    package var examples: KeyValuePairs<String, String>
    /// The name of a command whose options this command accepts as well. The help lists them only
    /// with that command.
    package var base: String
    /// Whether options may also come from the environment and the configuration file.
    package var readsSettings: Bool

    /// Creates a command from at least a name and a summary.
    ///
    /// Options, in groups, and discussion are evaluated when they are read, since a run of the tool
    /// needs them for one command only.
    package init(
        _ name: String, summary: String,
        discussion: @autoclosure @escaping @Sendable () -> String = "",
        operands: Operands = .none,
        flags: @autoclosure @escaping @Sendable () -> [[Flag]] = [], prominent: [String] = [],
        examples: KeyValuePairs<String, String> = [:], base: String = "",
        readsSettings: Bool = true
    ) {
        self.name = name
        self.summary = summary
        discussionText = discussion
        self.operands = operands
        declaredFlags = flags
        self.prominent = prominent
        self.examples = examples
        self.base = base
        self.readsSettings = readsSettings
    }

    /// The paragraphs after the summary: the help shows the first, the manual page all.
    package var discussion: String { discussionText() }

    /// The options, created for each call.
    package var flags: [Flag] { declaredFlags().flatMap(\.self) }

    package var words: [String] { name.split(separator: " ").map(String.init) }

    package func flag(_ name: String) -> Flag? { flags.first { $0.name == name } }

    /// The part of the usage line after the name.
    package var synopsis: [String] {
        var parts = operands.usage.isEmpty ? [] : [operands.usage]
        parts += prominent
        if !flags.isEmpty { parts.append("[options]") }
        return parts
    }
}
