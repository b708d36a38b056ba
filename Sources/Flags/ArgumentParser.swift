import Notation

/// A parser of the arguments after a command. Options and operands may be mixed; `--` ends the
/// options.
struct ArgumentParser {
    private let tool: Tool
    private let command: Command
    /// The options that the command declares.
    let flags: [Flag]
    private(set) var settings: [String: [Setting]] = [:]
    private(set) var operands: [String] = []
    /// The options that take a single value and were given more than once.
    private(set) var repeated: [String] = []

    init(_ tool: Tool, _ command: Command) {
        self.tool = tool
        self.command = command
        flags = command.flags
    }

    mutating func parse(_ arguments: [String]) throws(UsageError) {
        var index = 0
        while index < arguments.count {
            let word = arguments[index]
            index += 1
            if word == "--" {
                operands.append(contentsOf: arguments[index...])
                return
            }
            if word.hasPrefix("--") {
                try long(word, arguments, &index)
            } else if word.hasPrefix("-"), word != "-" {
                try short(word, arguments, &index)
            } else {
                operands.append(word)
            }
        }
    }

    private mutating func long(
        _ word: String, _ arguments: [String], _ index: inout Int
    ) throws(UsageError) {
        let parts = word.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let flag = flag(name) else { throw unknown(name) }
        try set(flag, "--\(name)", attached, arguments, &index)
    }

    private mutating func short(
        _ word: String, _ arguments: [String], _ index: inout Int
    ) throws(UsageError) {
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let flag = flags.first(where: { $0.short == letter }) else {
                throw tool.goneError("-\(letter)", of: command)
                    ?? UsageError(
                        "Unknown option '-\(PrintableText.escaped(String(letter)))'.",
                        remedy: helpRemedy)
            }
            let attached = flag.shape.takesValue && !rest.isEmpty ? String(rest) : nil
            if let attached, attached.hasPrefix("=") {
                let shown = PrintableText.escaped(attached, limit: 80)
                throw UsageError(
                    "-\(letter)\(shown): a short option takes its value without '='.",
                    remedy: "Type '-\(letter) \(shown.dropFirst())', or "
                        + "'-\(letter) ./\(shown)' for a name that begins with '='.")
            }
            try set(flag, "-\(letter)", attached, arguments, &index)
            if attached != nil { return }
        }
    }

    private mutating func set(
        _ flag: Flag, _ spelling: String, _ attached: String?, _ arguments: [String],
        _ index: inout Int
    ) throws(UsageError) {
        guard flag.shape.takesValue else {
            guard attached == nil else {
                throw UsageError(
                    "\(spelling) takes no value.", remedy: "Type '\(spelling)' alone.")
            }
            store(flag, Setting("true", .commandLine(spelling)))
            return
        }
        if let attached = attached ?? flag.bareValue {
            store(flag, Setting(attached, .commandLine(spelling)))
            return
        }
        guard index < arguments.count, !isFlag(arguments[index]) else {
            throw UsageError(
                "\(spelling) needs a value: \(flag.shape.wanted).",
                remedy: "Type '\(spelling) \(flag.placeholder)'."
                    + (index < arguments.count
                        ? " Write a value that looks like an option as '--\(flag.name)=VALUE'."
                        : ""))
        }
        store(flag, Setting(arguments[index], .commandLine(spelling)))
        index += 1
    }

    private mutating func store(_ flag: Flag, _ setting: Setting) {
        if flag.isRepeatable {
            settings[flag.name, default: []].append(setting)
        } else {
            if let earlier = settings[flag.name]?.last, earlier.text != setting.text,
                !repeated.contains(flag.name)
            {
                repeated.append(flag.name)
            }
            settings[flag.name] = [setting]
        }
    }

    /// Returns whether the word is an option of this command, so that it is probably not meant as a
    /// value.
    private func isFlag(_ word: String) -> Bool {
        if word == "--" { return true }
        if word.hasPrefix("--") {
            return flag(String(word.dropFirst(2).prefix { $0 != "=" })) != nil
        }
        guard word.count == 2, word.hasPrefix("-"), let letter = word.last else { return false }
        return flags.contains { $0.short == letter }
    }

    private func flag(_ name: String) -> Flag? { flags.first { $0.name == name } }

    private func unknown(_ name: String) -> UsageError {
        if let error = tool.goneError("--\(name)", of: command) { return error }
        if name.hasPrefix("no-"), flag(String(name.dropFirst(3)))?.shape.takesValue == false {
            return UsageError(
                "--\(name) is gone; leave out --\(name.dropFirst(3)), or remove it from the "
                    + "configuration file.", remedy: "")
        }
        let others = tool.commands.filter { $0.flag(name) != nil }
            .map { "'\(tool.name) \($0.name)'" }
        if !others.isEmpty {
            return UsageError(
                "'\(tool.name) \(command.name)' has no option '--\(name)'.",
                remedy: "Use it with \(others.joined(separator: ", ")).")
        }
        return .unknown(
            "option", name, among: flags.map(\.name) + ["help"], prefix: "--",
            fallback: helpRemedy)
    }

    private var helpRemedy: String { "Type '\(tool.name) help \(command.name)' for the options." }
}
