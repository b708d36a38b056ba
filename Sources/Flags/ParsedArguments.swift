import Notation

/// A command with the checked value of every option that it declares.
///
/// Reading an option that the command does not declare, or declares with another kind, is a
/// programming error and traps.
package struct ParsedArguments: Sendable {
    package let tool: Tool
    package let command: Command
    /// The options that the command declares.
    package let flags: [Flag]
    /// The arguments that are not options.
    package let operands: [String]
    /// The options that take a single value and were given several times; the last value counts.
    package let repeated: [String]
    private let settings: [String: [Setting]]

    /// Combines the command line, the environment and the configuration file, in this precedence,
    /// and checks every value. An empty environment variable counts as not set.
    package init(
        _ tool: Tool, _ command: Command, arguments: [String],
        environment: [String: String] = [:], configuration: ConfigurationFile? = nil
    ) throws(UsageError) {
        var parser = ArgumentParser(tool, command)
        try parser.parse(arguments)
        let flags = parser.flags
        var settings: [String: [Setting]] = [:]
        if command.readsSettings {
            settings = try configuration?.settings(for: flags, of: tool) ?? [:]
            for name in tool.variables where flags.contains(where: { $0.name == name }) {
                let variable = tool.variable(of: name)
                if let text = environment[variable], !text.isEmpty {
                    settings[name] = [Setting(text, .environment(variable))]
                }
            }
        }
        settings.merge(parser.settings) { _, typed in typed }
        for flag in flags {
            try Self.check(settings[flag.name] ?? [], of: flag, in: tool, command)
            if settings[flag.name] == nil, case .value(let text) = flag.fallback {
                settings[flag.name] = [Setting(text, .fallback(flag.name))]
            }
        }
        self.tool = tool
        self.command = command
        self.flags = flags
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

    private func checkOperands() throws(UsageError) {
        let wanted = command.operands
        let whole = "\(tool.name) \(command.name)"
        if operands.count > wanted.count.upperBound {
            let surplus = PrintableText.escaped(operands[wanted.count.upperBound], limit: 80)
            let none = "'\(whole)' takes no arguments"
            let some = "'\(whole)' takes only \(wanted.usage)"
            throw UsageError(
                "\(wanted.usage.isEmpty ? none : some); '\(surplus)' is not expected.",
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

    // MARK: Values

    package subscript<Value>(key: FlagKey<Value>) -> Value { key.read(texts(key)) }

    /// Returns all texts of the option in the order given, or its default.
    package func texts(_ option: some Declared) -> [String] { settings(option).map(\.text) }

    private func settings(_ option: some Declared) -> [Setting] {
        let flag = option.flag
        precondition(
            declared(flag.name)?.shape.wanted == flag.shape.wanted,
            "\(command.name) declares no such --\(flag.name).")
        return settings[flag.name] ?? []
    }

    /// Returns the value of a required option.
    package func required<Value>(_ key: FlagKey<Value?>) throws(UsageError) -> Value {
        if let value = self[key] { return value }
        let spelling = key.flag.short.map { "-\($0)" } ?? "--\(key.flag.name)"
        throw UsageError(
            "'\(tool.name) \(command.name)' needs \(spelling) \(key.flag.placeholder).",
            remedy: "Add '\(spelling) \(key.flag.placeholder)'.")
    }

    // MARK: Origins

    /// Returns whether the command declares the option.
    package func has(_ option: some Declared) -> Bool {
        declared(option.flag.name) != nil
    }

    /// Returns the option of this name; nil if the command does not declare it.
    func declared(_ name: String) -> Flag? { flags.first { $0.name == name } }

    /// Returns whether the option was set, even to its default.
    package func isSet(_ option: some Declared) -> Bool {
        rank(of: option) > 0
    }

    /// Returns whether the toggle is declared and on.
    package func isOn(_ toggle: FlagKey<Bool>) -> Bool { has(toggle) && self[toggle] }

    /// Returns whether the option was typed on this command line.
    package func isTyped(_ option: some Declared) -> Bool {
        if case .commandLine? = origin(of: option) { true } else { false }
    }

    package func origin(of option: some Declared) -> Origin? { settings(option).last?.origin }

    /// Returns the precedence of the source that set an option: 0 for none.
    package func rank(of option: some Declared) -> Int {
        switch origin(of: option) {
        case .commandLine: 3
        case .environment: 2
        case .configuration: 1
        case .fallback, nil: 0
        }
    }

    /// The options that a configuration file or the environment set, in one line; nil for none.
    package var settingsText: String? {
        var files: [String: [String]] = [:]
        var variables: [String] = []
        for flag in flags {
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

    // MARK: Errors

    /// Throws if the option was typed, since it would have no effect here.
    package func refuse(
        _ option: some Declared, _ message: String, remedy: String? = nil
    ) throws(UsageError) {
        guard isTyped(option) else { return }
        throw error(option, message, remedy: remedy ?? "Remove --\(option.flag.name).")
    }

    /// Returns an error about the value of an option, with its origin.
    package func error(
        _ option: some Declared, _ message: String, remedy: String? = nil
    ) -> UsageError {
        let source = origin(of: option)?.description ?? "--\(option.flag.name)"
        return UsageError(
            // Some messages begin with the name of the option.
            message.hasPrefix(source) ? message : "\(source): \(message)",
            remedy: remedy ?? "Type '\(tool.name) help \(command.name)' for the options.")
    }
}

/// The origin of a value, for error messages.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    /// The flag as it was typed: `-o` or `--output`.
    case commandLine(String)
    case environment(String)
    case configuration(file: String, line: Int, key: String)
    /// The default of the option of this name.
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
    let text: String
    let origin: Origin

    init(_ text: String, _ origin: Origin) {
        self.text = text
        self.origin = origin
    }
}
