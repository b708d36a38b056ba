import Notation
import Synchronization

/// A command with its help and its options, from which help, completions and pages are derived.
package struct Command: Sendable {
    /// A line that can be typed as it is.
    package struct Example: Hashable, Sendable {
        /// The whole line, beginning with the name of the tool.
        package var line: String
        /// What the line does, ending in a colon.
        package var meaning: String

        /// A line and what it does.
        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// An option that most people use, and a few words on it.
    package struct CommonOption: Hashable, Sendable {
        package var name: String
        package var help: String

        package init(_ name: String, _ help: String) {
            self.name = name
            self.help = help
        }
    }

    /// How many arguments that are not options are taken.
    package struct Operands: Hashable, Sendable {
        /// As the usage line shows them: `[INPUT…]`.
        package var usage: String
        /// One sentence.
        package var help: String
        /// The fewest and the most that are taken.
        package var count: ClosedRange<Int>
        /// Words that can be offered when an operand is completed; files otherwise.
        package var words: [String]

        /// A bound and a sentence; with `words`, nothing else is taken.
        package init(
            _ usage: String, count: ClosedRange<Int>, words: [String] = [], help: String
        ) {
            self.usage = usage
            self.help = help
            self.count = count
            self.words = words
        }

        /// For commands that take options only.
        package static let none = Operands("", count: 0...0, help: "")
    }

    /// One word, or two where commands form a family: `theme check`.
    package var name: String
    /// A phrase without a full stop.
    package var summary: String
    private let discussionText: @Sendable () -> String
    /// What stands beside the options.
    package var operands: Operands
    private let declaredFlags: DeclaredFlags
    /// Options that the usage line shows by themselves, because most lines have them.
    package var prominent: [String]
    private let commonOptions: [CommonOption]
    /// The commonest one first.
    package var examples: [Example]
    /// The name of a command whose options this one takes too; the help lists them only there.
    package var base: String
    /// Options may also come from the environment and the configuration file.
    package var readsSettings: Bool

    /// Creates a command from at least a name and a phrase.
    ///
    /// Options and discussion are evaluated when they are first needed: a start of the tool needs
    /// those of one command.
    package init(
        _ name: String, summary: String,
        discussion: @autoclosure @escaping @Sendable () -> String = "",
        operands: Operands = .none,
        flags: @autoclosure @escaping @Sendable () -> [Flag] = [], prominent: [String] = [],
        common: [CommonOption] = [], examples: [Example] = [], base: String = "",
        readsSettings: Bool = true
    ) {
        self.name = name
        self.summary = summary
        discussionText = discussion
        self.operands = operands
        declaredFlags = DeclaredFlags(flags)
        self.prominent = prominent
        commonOptions = common
        self.examples = examples
        self.base = base
        self.readsSettings = readsSettings
    }

    /// The paragraphs beyond the summary: the help shows the first, the manual page all.
    package var discussion: String { discussionText() }

    /// The options, in the order in which the help lists them.
    package var flags: [Flag] { declaredFlags.all }

    /// The options of the short help that this command has; without any, the short help equals the
    /// long one.
    package var common: [CommonOption] { commonOptions.filter { flag($0.name) != nil } }

    /// The name, word by word.
    package var words: [String] { name.split(separator: " ").map(String.init) }

    /// The option with a long name, if the command has it.
    package func flag(_ name: String) -> Flag? { flags.first { $0.name == name } }

    /// The option with a letter, if the command has it.
    package func flag(short: Character) -> Flag? { flags.first { $0.short == short } }

    /// What follows the name on the usage line.
    package var synopsis: [String] {
        var parts = operands.usage.isEmpty ? [] : [operands.usage]
        parts += prominent
        if !flags.isEmpty { parts.append("[options]") }
        return parts
    }
}

/// The options of a command, made at the first use and kept.
private final class DeclaredFlags: Sendable {
    private let kept = Mutex<[Flag]?>(nil)
    private let make: @Sendable () -> [Flag]

    init(_ make: @escaping @Sendable () -> [Flag]) { self.make = make }

    var all: [Flag] {
        if let flags = kept.withLock({ $0 }) { return flags }
        let flags = make()
        kept.withLock { $0 = flags }
        return flags
    }
}
