import Artwork
import Batch
import Console
import Engine
import Flags
import Notation
import Render
import Transport

/// The `emblem` tool: its declaration, and the function that turns arguments into an exit code.
package enum CommandLineTool {
    package static let tool = Tool(
        name: "emblem", version: ToolVersion.number,
        summary: "turns images into emblems of one size and style",
        commands: CommandTable.entries.map(\.command),
        topics: [
            ("Make emblems", ["batch", "render", "stream"]),
            ("Look at results", ["inspect", "failures", "verify", "diff"]),
            ("Others", ["theme", "cache", "formats", "bench"]),
        ],
        pages: ["'emblem help errors'", "'emblem help looks'"],
        examples: [
            "emblem batch logos/ -o out": "All logos of a folder:",
            "emblem batch --list logos.csv -o out --scale 1,2,3":
                "A list of URLs, at three scales:",
            "emblem render acme.svg -o acme.png": "One image:",
        ],
        gone: GoneNames.instead,
        variables: ["config", "cache", "jobs", "memory", "allow-private"],
        rules: [
            .notBoth("force", "only-failures"),
            .notBoth("prune", "limit", because: "it would delete what the limit leaves out"),
            .notBoth("prune", "exclude", because: "it would delete what is left out"),
            .notBoth("icon", "initials"), .notBoth("csv", "json"),
            .needs("columns", "list"), .needs("tolerance", "compare"),
        ])

    /// Runs the command that the arguments name, flushes its output, and turns an error into a
    /// message. Returns the exit code of the process.
    static func run(arguments: [String]) async -> Int32 {
        let messages = MessageStream(program: tool.name) { text in
            SourceMask.inside(message: text) { (try? BadgeMark(argument: $0)) != nil }
        }
        if wantsJSON(arguments) { messages.useJSON() }
        if ProcessEnvironment.toolVariables["GITHUB_ACTIONS"] == "true" {
            messages.guardForRunner()
        }
        do {
            let code = try await dispatch(arguments, messages)
            try OutputStream.standard.flush()
            return code
        } catch OutputError.readerGone {
            return OutputError.readerGone.exitCode
        } catch {
            // The failure that ended the command is the one to report.
            if !(error is OutputError) { try? OutputStream.standard.flush() }
            let code = (error as? any ExitCoded)?.exitCode ?? 1
            messages.line("\(error)", .error)
            if messages.isJSON {
                messages.object { json in
                    json.member("type", "summary")
                    json.member("exit", Int(code))
                }
            }
            return code
        }
    }

    /// Returns whether the arguments contain `--progress json`. They are searched before parsing,
    /// so that even an error in the command line is reported as JSON.
    private static func wantsJSON(_ arguments: [String]) -> Bool {
        let name = Options.progress.flag.name
        let words = arguments.prefix { $0 != "--" }
        let last = words.indices.last { index in
            words[index].hasPrefix("--\(name)=json")
                || words[index] == "--\(name)" && index + 1 < words.endIndex
        }
        guard let last else { return false }
        let value = words[last].split(separator: "=", maxSplits: 1).dropFirst().first
        return (value.map { String($0) } ?? words[last + 1]) == "json"
    }

    private static func dispatch(
        _ arguments: [String], _ messages: MessageStream
    ) async throws -> Int32 {
        let output = OutputStream.standard
        let environment = ProcessEnvironment.toolVariables
        let help = HelpText(tool, columns: Terminal.at(1, environment: environment).columns)
        switch arguments.first {
        case "--version", "-V":
            try output.write("\(tool.name) \(tool.version)\n")
            return 0
        case nil, "--help", "-h":
            try output.write(help.overview())
            return 0
        case "help" where arguments.dropFirst().first == "looks":
            try output.write(help.rows(looks))
            return 0
        case "help" where arguments.dropFirst().first == "errors":
            try output.write(help.rows(errorClasses) + "\n* A later run may succeed.\n")
            return 0
        case "help":
            try output.write(try text(of: help, about: Array(arguments.dropFirst())))
            return 0
        default: break
        }
        if let word = helpWord(in: arguments) {
            let words = CommandTable.withComponent(arguments.filter { !$0.hasPrefix("-") })
            try output.write(try text(of: help, about: words, isShort: word == "-h"))
            return 0
        }
        let (command, rest) = try tool.split(CommandTable.withComponent(arguments))
        guard let entry = CommandTable.entries.first(where: { $0.command.name == command.name })
        else { preconditionFailure("Every declared command has an entry.") }
        let parsed = try parsed(command, rest, messages)
        try checkBytes(of: arguments, parsed)
        try checkSchemes(of: parsed.operands)
        if parsed.has(Options.progress), parsed[Options.progress] == "json" { messages.useJSON() }
        if !parsed.isOn(Options.quiet) {
            for name in parsed.repeated {
                messages.line(
                    "--\(name) is given more than once; the last value is used", .warning)
            }
            if parsed.has(Options.config), let text = parsed.settingsText {
                messages.line(text, .note)
            }
        }
        return try await entry.action(
            CommandContext(
                arguments: parsed, environment: environment, output: output, messages: messages))
    }

    /// Refuses arguments that are not UTF-8, except the input paths of `emblem batch`.
    private static func checkBytes(
        of words: [String], _ parsed: ParsedArguments
    ) throws(UsageError) {
        let inputs = parsed.command.name == CommandTable.batch.name ? parsed.operands : []
        let paths = inputs.filter { SourceReference.scheme(of: $0) == nil }
        for (index, word) in words.enumerated()
        where FilePath.isMarked(word) && !paths.contains(word) {
            throw UsageError(
                "Word \(index + 1) of the command line, "
                    + "'\(PrintableText.escaped(FilePath(word).description))', is not UTF-8.",
                remedy: "Name the folder that contains the file, or rename the file.")
        }
    }

    /// Refuses sources whose scheme is gone.
    private static func checkSchemes(of operands: [String]) throws(UsageError) {
        for operand in operands where (try? SourceReference.argument(operand)) == nil {
            guard let scheme = SourceReference.scheme(of: operand) else { continue }
            if let error = tool.goneError("\(scheme):") { throw error }
        }
    }

    /// Parses the options of a command from the command line, the environment and the configuration
    /// file, in this order of precedence.
    private static func parsed(
        _ command: Command, _ words: [String], _ messages: MessageStream
    ) throws -> ParsedArguments {
        let environment = ProcessEnvironment.settings(of: tool)
        let typed = try ParsedArguments(
            tool, command, arguments: words, environment: environment)
        let usesFile = typed.has(Options.config)
        guard command.readsSettings, !(usesFile && typed[Options.config] == "none") else {
            return typed
        }
        do {
            let path = usesFile ? typed[Options.config] : nil
            guard let configuration = try configuration(named: path) else { return typed }
            return try ParsedArguments(
                tool, command, arguments: words, environment: environment,
                configuration: configuration)
        } catch let error as UsageError where !usesFile {
            // The user did not name this file, so a defect in it must not stop the command: some
            // commands help to find the defect.
            messages.line("\(error.message) Ignoring the file.", .warning)
            return typed
        }
    }

    static let configurationName = "emblem.json"

    /// Returns the options in the file at `path`, or else in `emblem.json`; nil if no path is given
    /// and `emblem.json` does not exist.
    private static func configuration(named path: String?) throws -> ConfigurationFile? {
        let name = path ?? configurationName
        do {
            let bytes = try FileIntake.read(FilePath(name), bytesLimit: 64 << 20).bytes
            return try ConfigurationFile(name: name, bytes.span)
        } catch let error as ItemFailure where error.errorClass == .notFound {
            guard path != nil else { return nil }
            throw CommandFailure(66, "--config \(name) does not exist; check the path")
        } catch let error as ItemFailure {
            throw UsageError("\(name) cannot be read: \(error).", remedy: "Correct or remove it.")
        }
    }

    /// Returns `--help` or `-h` if it is an argument before `--`, in any position.
    private static func helpWord(in arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { $0 == "--help" || $0 == "-h" }
    }

    /// Returns the name and the description of each look, for `emblem help looks`.
    private static var looks: [(String, String)] {
        Look.allCases.map { look in
            let options = look.options.map { option in
                option.text == "true" ? "--\(option.name)" : "--\(option.name) \(option.text)"
            }
            return (
                look.rawValue,
                look.summary + (options.isEmpty ? "" : " (\(options.joined(separator: " ")))")
            )
        }
    }

    /// The class, cause and remedy of every failure, for `emblem help errors`.
    private static var errorClasses: [(String, String)] {
        ErrorClass.ofRecords.map { errorClass in
            (
                errorClass.rawValue + (errorClass.isRetryable ? " *" : ""),
                "\(errorClass.message) \(errorClass.remedy)"
            )
        }
    }

    /// Returns the help of the command or command family that `words` name.
    private static func text(
        of help: HelpText, about words: [String], isShort: Bool = false
    ) throws -> String {
        guard let family = words.first, family != "help" else { return help.overview() }
        let members = tool.members(of: family)
        let isFamily = members.contains { $0.words.count > 1 }
        if isFamily, words.count == 1 { return help.family(family) }
        let (command, _) = try tool.split(words)
        return isShort ? help.short(command) : help.command(command)
    }
}
