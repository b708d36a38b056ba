import Notation

/// A command with the checked value of every option that it declares.
///
/// Reading an option that the command does not declare, or declares with another kind, is a
/// programming error and traps.
package struct ParsedArguments: Sendable {
    package let tool: Tool
    package let command: Command
    /// The arguments that are not options.
    package let operands: [String]
    private let settings: [String: [Setting]]

    /// Combines the command line, the environment and the configuration file, in this precedence,
    /// and checks every value. An empty environment variable counts as not set.
    package init(
        _ tool: Tool, _ command: Command, arguments: [String],
        environment: [String: String] = [:], configuration: ConfigurationFile? = nil
    ) throws(UsageError) {
        var parser = ArgumentParser(tool, command)
        try parser.parse(arguments)
        var settings: [String: [Setting]] = [:]
        if command.readsSettings, let configuration {
            settings = try configuration.settings(for: command, of: tool)
        }
        for flag in command.flags where tool.variables.contains(flag.name) && command.readsSettings
        {
            let name = tool.variable(of: flag.name)
            if let text = environment[name], !text.isEmpty {
                settings[flag.name] = [Setting(text, .environment(name))]
            }
        }
        settings.merge(parser.settings) { _, typed in typed }
        for flag in command.flags {
            try Self.check(settings[flag.name] ?? [], of: flag, in: tool, command)
            if settings[flag.name] == nil { settings[flag.name] = Self.fallback(of: flag) }
        }
        self.tool = tool
        self.command = command
        self.settings = settings
        operands = parser.operands
        repeated = parser.repeated
        try checkOperands()
        try check(tool.rules)
    }

    private static func check(
        _ settings: [Setting], of flag: Flag, in tool: Tool, _ command: Command
    ) throws(UsageError) {
        for setting in settings {
            for word in setting.text.split(separator: ",") where !flag.accepts(word) {
                // Some rows stand for any number.
                let name = Double(word) == nil ? word.prefix { $0 != "=" } : "N"
                let error = tool.goneError("--\(flag.name) \(name)", of: command)
                if let error { throw error }
            }
            guard let problem = flag.shape.problem(setting.text) else { continue }
            // For a number no similar word is suggested.
            let nearest =
                Double(problem.word) == nil
                ? Spelling.nearest(to: problem.word, among: problem.words) : nil
            throw UsageError(
                "\(setting.origin): \(problem.message).",
                remedy: problem.remedy ?? nearest.map { "Did you mean '\($0)'?" }
                    ?? "Type '\(tool.name) help \(command.name)' for the options.")
        }
    }

    private static func fallback(of flag: Flag) -> [Setting]? {
        guard case .value(let text) = flag.fallback else { return nil }
        return [Setting(text, .fallback(flag.name))]
    }

    /// The options that a configuration file or the environment set, in one line; nil for none.
    package var settingsText: String? {
        var files: [String: [String]] = [:]
        var variables: [String] = []
        for flag in command.flags {
            switch origin(of: flag) {
            case .configuration(let file, _, _): files[file, default: []].append(flag.name)
            case .environment: variables.append(flag.name)
            default: break
            }
        }
        var parts = files.sorted { $0.key < $1.key }.map { file, names in
            "options from \(PrintableText.escaped(file)): \(names.joined(separator: ", "))"
        }
        if !variables.isEmpty {
            parts.append("options from the environment: \(variables.joined(separator: ", "))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The options that take a single value and were given several times; the last value counts.
    package let repeated: [String]

    /// Returns whether the option was set, even to its default.
    package func isSet(_ flag: Flag) -> Bool {
        guard let setting = settings(flag).last else { return false }
        return setting.origin != .fallback(flag.name)
    }

    /// Returns whether the option was typed on this command line.
    package func isTyped(_ flag: Flag) -> Bool {
        if case .commandLine? = origin(of: flag) { true } else { false }
    }

    /// Throws if the option was typed, since it would have no effect here.
    package func refuse(
        _ flag: Flag, _ message: String, remedy: String? = nil
    ) throws(UsageError) {
        guard isTyped(flag) else { return }
        throw error(flag, message, remedy: remedy ?? "Remove --\(flag.name).")
    }

    package func origin(of flag: Flag) -> Origin? { settings(flag).last?.origin }

    /// Returns an error about the value of an option, with its origin.
    package func error(_ flag: Flag, _ message: String, remedy: String? = nil) -> UsageError {
        let source = origin(of: flag)?.description ?? "--\(flag.name)"
        return UsageError(
            // Some messages begin with the name of the option.
            message.hasPrefix(source) ? message : "\(source): \(message)",
            remedy: remedy ?? "Type '\(tool.name) help \(command.name)' for the options.")
    }

    /// Returns all texts of the option in the order given, or its default.
    package func texts(_ flag: Flag) -> [String] { settings(flag).map(\.text) }

    private func settings(_ flag: Flag) -> [Setting] {
        precondition(
            command.flag(flag.name)?.shape.wanted == flag.shape.wanted,
            "\(command.name) declares no such --\(flag.name).")
        return settings[flag.name] ?? []
    }

    private func checkOperands() throws(UsageError) {
        let wanted = command.operands
        let whole = "\(tool.name) \(command.name)"
        if operands.count > wanted.count.upperBound {
            let surplus = operands[wanted.count.upperBound]
            let none = "'\(whole)' takes no arguments"
            let some = "'\(whole)' takes only \(wanted.usage)"
            throw UsageError(
                "\(wanted.usage.isEmpty ? none : some); '\(Shown.word(surplus))' is not expected.",
                remedy: "Type '\(tool.name) help \(command.name)'.")
        }
        if operands.count < wanted.count.lowerBound {
            throw UsageError(
                "'\(whole)' needs \(wanted.usage).",
                remedy: "Type '\(whole) \(wanted.usage)', or '\(tool.name) help \(command.name)'.")
        }
        guard !wanted.words.isEmpty else { return }
        for operand in operands where !wanted.words.contains(operand) {
            throw .unknown(
                "choice", operand, among: wanted.words,
                fallback: "Use one of \(wanted.words.joined(separator: ", ")).")
        }
    }
}

/// Escapes command-line words for messages.
enum Shown {
    static func word(_ word: String) -> String { PrintableText.escaped(word, limit: 80) }
}

/// The origin of a value, for error messages.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    /// The flag as it was typed: `-o` or `--output`.
    case commandLine(String)
    case environment(String)
    case configuration(file: String, line: Int, key: String)
    case fallback(String)

    /// The origin as text, to precede a colon.
    package var description: String {
        switch self {
        case .commandLine(let spelling): spelling
        case .environment(let name): "environment variable \(name)"
        case .configuration(let file, let line, let key): "\(file) line \(line), \"\(key)\""
        case .fallback(let name): "default of --\(name)"
        }
    }
}

/// A value of an option before it is checked.
package struct Setting: Hashable, Sendable {
    package var text: String
    package var origin: Origin

    package init(_ text: String, _ origin: Origin) {
        self.text = text
        self.origin = origin
    }
}
