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
                if let problem = flag.kind.problem(with: setting.text) {
                    throw UsageError(
                        "\(setting.origin): \(problem)",
                        remedy: "Type '\(tool.name) help \(command.name)' for the options.")
                }
            }
            if settings[flag.name] == nil, case .value(let text) = flag.fallback {
                settings[flag.name] = [Setting(text, .fallback(flag.name))]
            }
        }
        self.tool = tool
        self.command = command
        self.settings = settings
        operands = parser.operands
        try checkOperands()
    }

    /// Somebody set the option, be it to its default.
    package func isSet(_ name: String) -> Bool {
        guard let setting = last(name) else { return false }
        return setting.origin != .fallback(name)
    }

    /// Where the value came from; nil where there is none.
    package func origin(of name: String) -> Origin? { last(name)?.origin }

    /// A complaint about the value of an option, with the place it came from.
    package func error(_ name: String, _ message: String, remedy: String? = nil) -> UsageError {
        let place = last(name)?.origin.description ?? "--\(name)"
        return UsageError(
            "\(place): \(message)",
            remedy: remedy ?? "Type '\(tool.name) help \(command.name)' for the options.")
    }

    /// The value of an option that has to be given.
    package func required(_ name: String) throws(UsageError) -> String {
        if let text = text(name) { return text }
        let spelling = command.flag(name)?.short.map { "-\($0)" } ?? "--\(name)"
        let placeholder = command.flag(name)?.placeholder ?? "VALUE"
        throw UsageError(
            "'\(tool.name) \(command.name)' needs \(spelling) \(placeholder).",
            remedy: "Add '\(spelling) \(placeholder)'.")
    }

    /// All texts of a repeatable option, in the order given.
    package func texts(_ name: String) -> [String] { settings(name).map(\.text) }

    /// The last text given for the option, or its default.
    package func text(_ name: String) -> String? { last(name)?.text }

    /// On, whether by flag, environment or file.
    package func toggle(_ name: String) -> Bool {
        last(name).flatMap { ValueReader.toggle($0.text) } ?? false
    }

    /// The words of a list, each once; `all` has become all of them.
    package func list(_ name: String) -> [String] {
        guard let text = text(name) else { return [] }
        switch command.flag(name)?.kind {
        case .choices(let words, let all): return ValueReader.list(text, of: words, all: all) ?? []
        case .scales(let words): return ValueReader.list(text, of: words, all: false) ?? []
        default: preconditionFailure("--\(name) is not a list.")
        }
    }

    /// The factors of a list, each once, in the order given.
    package func scales(_ name: String) -> [Double] { list(name).compactMap { Double($0) } }

    /// A whole number, a size in bytes, or a number of things.
    package func whole(_ name: String) -> Int? {
        guard let text = text(name) else { return nil }
        switch command.flag(name)?.kind {
        case .whole(let range): return ValueReader.whole(text, in: range)
        case .bytes(let range): return ValueReader.bytes(text, in: range)
        case .count(let range): return ValueReader.count(text, in: range)
        default: preconditionFailure("--\(name) is not a whole number.")
        }
    }

    /// A number within the bounds of its option.
    package func decimal(_ name: String) -> Double? {
        guard let text = text(name) else { return nil }
        guard case .decimal(let range) = command.flag(name)?.kind else {
            preconditionFailure("--\(name) is not a number.")
        }
        return ValueReader.decimal(text, in: range)
    }

    /// Nil where the format decides.
    package func quality(_ name: String) -> QualityValue? {
        text(name).flatMap(ValueReader.quality)
    }

    /// Nil where the theme decides.
    package func color(_ name: String) -> HexColor? { text(name).flatMap(ValueReader.color) }

    /// Nil for the whole list.
    package func shard(_ name: String) -> Shard? { text(name).flatMap(ValueReader.shard) }

    /// The whole numbers of a list, each once, in the order given; nil where none was given.
    package func wholes(_ name: String) -> [Int]? {
        guard let text = text(name) else { return nil }
        guard case .wholes(let range) = command.flag(name)?.kind else {
            preconditionFailure("--\(name) is no list of whole numbers.")
        }
        return ValueReader.wholes(text, in: range)
    }

    /// A share in hundredths.
    package func percent(_ name: String) -> Double? {
        guard let text = text(name) else { return nil }
        guard case .percent(let range) = command.flag(name)?.kind else {
            preconditionFailure("--\(name) is no share.")
        }
        return ValueReader.percent(text, in: range)
    }

    /// Nil where any number may fail.
    package func tolerance(_ name: String) -> Tolerance? {
        text(name).flatMap(ValueReader.tolerance)
    }

    private func settings(_ name: String) -> [Setting] {
        precondition(command.flag(name) != nil, "\(command.name) declares no --\(name).")
        return settings[name] ?? []
    }

    private func last(_ name: String) -> Setting? { settings(name).last }

    private func checkOperands() throws(UsageError) {
        let wanted = command.operands
        let whole = "\(tool.name) \(command.name)"
        if operands.count > wanted.count.upperBound {
            let surplus = operands[wanted.count.upperBound]
            let none = "'\(whole)' takes no arguments besides options"
            let some = "'\(whole)' takes only \(wanted.usage)"
            throw UsageError(
                "\(wanted.usage.isEmpty ? none : some); '\(Shown.word(surplus))' is one too many.",
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
                fallback: "Known are \(wanted.words.joined(separator: ", ")).")
        }
    }
}
