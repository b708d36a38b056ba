/// One thing the tool can do, with everything that is said about it.
package struct Command: Hashable, Sendable {
    package struct Example: Hashable, Sendable {
        package var line: String
        package var meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// How many arguments that are not options are taken.
    package struct Operands: Hashable, Sendable {
        /// As the usage line shows them: `[INPUT…]`.
        package var usage: String
        package var help: String
        package var count: ClosedRange<Int>
        /// Words that can be offered when an operand is completed; files otherwise.
        package var words: [String]

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

    /// One word, or two where commands form a family: `theme check`.
    package var name: String
    /// A phrase without a full stop.
    package var summary: String
    /// Paragraphs for help and manual, beyond the summary.
    package var discussion: String
    package var operands: Operands
    package var flags: [Flag]
    /// Options that the usage line shows by themselves, because most lines have them.
    package var prominent: [String]
    package var examples: [Example]
    /// Options may also come from the environment and the configuration file.
    package var readsSettings: Bool

    package init(
        _ name: String, summary: String, discussion: String = "", operands: Operands = .none,
        flags: [Flag] = [], prominent: [String] = [], examples: [Example] = [],
        readsSettings: Bool = true
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.flags = flags
        self.prominent = prominent
        self.examples = examples
        self.readsSettings = readsSettings
    }

    package var words: [String] { name.split(separator: " ").map(String.init) }

    package func flag(_ name: String) -> Flag? { flags.first { $0.name == name } }

    package func flag(short: Character) -> Flag? { flags.first { $0.short == short } }

    /// What follows the name on the usage line.
    package var synopsis: [String] {
        var parts = operands.usage.isEmpty ? [] : [operands.usage]
        parts += prominent
        if !flags.isEmpty { parts.append("[options]") }
        return parts
    }

    /// The headings of its flags, in the order of their first one.
    package var groups: [String] {
        var groups: [String] = []
        for flag in flags where !groups.contains(flag.group) { groups.append(flag.group) }
        return groups
    }
}
