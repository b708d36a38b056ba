import Notation

/// A command-line tool: its commands, and what they have in common.
package struct Tool: Sendable {
    package var name: String
    /// The version without the name.
    package var version: String
    /// A phrase that follows the name in the overview.
    package var summary: String
    package var commands: [Command]
    /// The headings of the overview with the first words of their commands. The overview names
    /// other commands in its last line.
    package var topics: [(heading: String, families: [String])]
    /// Further pages that the overview names, such as `'artist help colours'`.
    package var pages: [String]
    /// Examples for the overview.
    package var examples: KeyValuePairs<String, String>
    /// Returns an instruction that follows "is gone;" for a name of an earlier version.
    private let gone: @Sendable (String) -> String?

    /// The options that an environment variable can set.
    package var variables: [String]
    /// Options that exclude or need each other.
    let rules: [OptionRule]

    package init(
        name: String, version: String, summary: String, commands: [Command],
        topics: [(heading: String, families: [String])] = [], pages: [String] = [],
        examples: KeyValuePairs<String, String> = [:],
        gone: @escaping @Sendable (String) -> String? = { _ in nil }, variables: [String] = [],
        rules: [OptionRule] = []
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.commands = commands
        self.topics = topics
        self.pages = pages
        self.examples = examples
        self.gone = gone
        self.variables = variables
        self.rules = rules
    }

    /// Returns the error for a name of an earlier version; nil for any other name.
    ///
    /// - Parameters:
    ///   - command: The command of an option, which a row can be limited to.
    ///   - origin: The place of the name in a file.
    package func goneError(
        _ name: String, of command: Command? = nil, at origin: Origin? = nil
    ) -> UsageError? {
        let limited = command.flatMap { gone("\($0.name) \(name)") }
        return (limited ?? gone(name)).map { instead in
            UsageError(
                (origin.map { "\($0): " } ?? "") + "\(name) is gone; \(instead).", remedy: "")
        }
    }

    package func command(_ name: String) -> Command? { commands.first { $0.name == name } }

    /// Returns the options of a command by heading, in the order of declaration. Options of the base
    /// command are left out.
    package func sections(of command: Command) -> [(heading: String, flags: [Flag])] {
        let listed = self.command(command.base)?.flags ?? []
        var sections: [(heading: String, flags: [Flag])] = []
        for flag in command.flags where !listed.contains(flag) {
            if let index = sections.firstIndex(where: { $0.heading == flag.group }) {
                sections[index].flags.append(flag)
            } else {
                sections.append((flag.group, [flag]))
            }
        }
        return sections
    }

    /// The first words of all commands, each once, in the order of declaration.
    package var families: [String] {
        var families: [String] = []
        for command in commands {
            if let word = command.words.first, !families.contains(word) { families.append(word) }
        }
        return families
    }

    /// Returns the variable of an option: `EMBLEM_ALLOW_PRIVATE` for `allow-private`.
    package func variable(of option: String) -> String {
        "\(name)_\(option)".uppercased().replacing("-", with: "_")
    }

    package func members(of family: String) -> [Command] {
        commands.filter { $0.words.first == family }
    }

    /// The words that follow the first word of a family, such as `badge` after `render`.
    func secondWords(of family: String) -> [String] {
        members(of: family).compactMap { $0.words.dropFirst().first }
    }

    /// Returns the command at the start of the arguments, and the arguments after it.
    package func split(
        _ arguments: some Collection<String>
    ) throws(UsageError) -> (Command, [String]) {
        let arguments = Array(arguments)
        guard let family = arguments.first else {
            throw UsageError(
                "No command is given.", remedy: "Type '\(name) help' for the list of commands.")
        }
        if family.hasPrefix("-") {
            let shown = PrintableText.escaped(family, limit: 80)
            let command = arguments.first(where: families.contains) ?? "COMMAND"
            throw UsageError(
                "The option '\(shown)' must follow the command.",
                remedy: "Type '\(name) \(command) … \(shown)'.")
        }
        let words = arguments.prefix(2).prefix { !$0.hasPrefix("-") }.joined(separator: " ")
        for name in [words, family] where command(name) == nil && !families.contains(name) {
            if let error = goneError(name) { throw error }
        }
        let members = members(of: family)
        for command in members.sorted(by: { $0.words.count > $1.words.count })
        where arguments.starts(with: command.words) {
            return (command, Array(arguments.dropFirst(command.words.count)))
        }
        if members.isEmpty {
            throw .unknown("command", family, among: families, fallback: "Type '\(name) help'.")
        }
        let seconds = secondWords(of: family)
        guard arguments.count > 1, !arguments[1].hasPrefix("-") else {
            throw UsageError(
                "'\(name) \(family)' needs a second word: \(seconds.joined(separator: ", ")).",
                remedy: "Type '\(name) help \(family)'.")
        }
        throw .unknown(
            "\(family) command", arguments[1], among: seconds,
            fallback: "Use one of \(seconds.joined(separator: ", ")).")
    }
}
