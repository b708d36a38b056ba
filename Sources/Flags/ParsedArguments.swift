import Notation

/// A command with the value of every option it declares, all of them checked.
///
/// Asking for an option that the command does not declare, or by another kind than its own, is a
/// fault of ours and stops.
package struct ParsedArguments: Sendable {
    /// The declarations this was parsed by.
    package let tool: Tool
    /// The command that the line asks for.
    package let command: Command
    /// What was given that is no option.
    package let operands: [String]
    /// The file whose options are joined with the command line; nil for none.
    package let configuration: ConfigurationFile?
    private let settings: [String: [Setting]]

    /// Joins the command line, the environment and the configuration file, in this precedence,
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
        for flag in command.flags where flag.isInEnvironment && command.readsSettings {
            let name = flag.environmentName(tool: tool.name)
            if let text = environment[name], !text.isEmpty {
                settings[flag.name] = [Setting(text, .environment(name))]
            }
        }
        settings.merge(parser.settings) { _, typed in typed }
        for flag in command.flags {
            for setting in settings[flag.name] ?? [] {
                if !flag.isOpen, let problem = flag.kind.problem(with: setting.text) {
                    throw UsageError(
                        "\(setting.origin): \(problem)",
                        remedy: Self.suggestion(setting.text, flag.kind) ?? flag.remedy
                            ?? "Type '\(tool.name) help \(command.name)' for the options.")
                }
            }
            if settings[flag.name] == nil, case .value(let text) = flag.fallback {
                settings[flag.name] = [Setting(text, .fallback(flag.name))]
            }
        }
        self.tool = tool
        self.command = command
        self.configuration = configuration
        self.settings = settings
        operands = parser.operands
        repeated = parser.repeated
        try checkOperands()
    }

    /// The word that somebody most likely meant.
    private static func suggestion(_ text: String, _ kind: ValueKind) -> String? {
        let parts = kind.isList ? text.split(separator: ",").map(String.init) : [text]
        // Of numbers none is meant more than another.
        guard let wrong = parts.first(where: { !kind.words.contains($0) }), Double(wrong) == nil,
            let nearest = Spelling.nearest(to: wrong, among: kind.words)
        else { return nil }
        return "Did you mean '\(nearest)'?"
    }

    /// Which options a configuration file or the environment set, in one line; nil for none.
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

    /// Options that take one value and were given several: the last one counts.
    package let repeated: [String]

    /// Somebody set the option, be it to its default.
    package func isSet(_ flag: Flag) -> Bool {
        guard let setting = settings(flag).last else { return false }
        return setting.origin != .fallback(flag.name)
    }

    /// Somebody typed the option on this command line, rather than set it for every one.
    package func isTyped(_ flag: Flag) -> Bool {
        if case .commandLine? = origin(of: flag) { true } else { false }
    }

    /// Complains about an option that was typed, and would do nothing here.
    package func refuse(
        _ flag: Flag, _ message: String, remedy: String? = nil
    ) throws(UsageError) {
        guard isTyped(flag) else { return }
        throw error(flag, message, remedy: remedy ?? "Remove --\(flag.name).")
    }

    /// Where the value came from; nil where there is none.
    package func origin(of flag: Flag) -> Origin? { settings(flag).last?.origin }

    /// A complaint about the value of an option, with the origin it came from.
    package func error(_ flag: Flag, _ message: String, remedy: String? = nil) -> UsageError {
        let source = origin(of: flag)?.description ?? "--\(flag.name)"
        return UsageError(
            // A sentence about the option names it already.
            message.hasPrefix(source) ? message : "\(source): \(message)",
            remedy: remedy ?? "Type '\(tool.name) help \(command.name)' for the options.")
    }

    /// All texts given for the option, in the order given, or its default.
    package func texts(_ flag: Flag) -> [String] { settings(flag).map(\.text) }

    private func settings(_ flag: Flag) -> [Setting] {
        precondition(
            command.flag(flag.name)?.kind == flag.kind,
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

/// Words from the command line, made safe to show in a message.
enum Shown {
    static func word(_ word: String) -> String { PrintableText.escaped(word, limit: 80) }
}

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
