import Codecs
import EmblemCLI
import Flags
import Notation
import Raster
import Render
import Testing
import Theming

@Suite struct DeclarationTests {
    private static let tool = CommandLineTool.tool

    @Test("a short help names every option of the command", arguments: tool.commands)
    func shortHelp(command: Command) {
        let text = HelpText(Self.tool, columns: 100).short(command)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 100 }, "\(text)")
        for flag in Self.tool.sections(of: command).flatMap(\.flags) {
            #expect(text.contains("--\(flag.name)"), "\(flag.name)")
        }
    }

    @Test("the short help of batch fits a screen of 24 lines and 100 columns")
    func shortHelpOfBatch() {
        let text = HelpText(Self.tool, columns: 100).short(CommandTable.batch)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 24, "\(lines.count) lines:\n\(text)")
    }

    @Test("every option has a short text under a known heading", arguments: tool.commands)
    func headings(command: Command) {
        let known = [
            "Input", "Output", "Content", "Size", "Look", "Colours", "Failures", "Repeat",
            "Network", "Limits", "Reports", "Measurement", "Results",
        ]
        for flag in command.flags {
            #expect(known.contains(flag.group), "\(flag.group)")
            #expect(flag.help.count <= 100 && flag.help.hasSuffix("."), "\(flag.help)")
            #expect(
                flag.placeholder == flag.placeholder.uppercased() || flag.placeholder.contains("|"))
            #expect(flag.details.isEmpty || flag.details.hasSuffix("."), "\(flag.details)")
        }
    }

    @Test(
        "no option is declared twice, and every default is a valid value",
        arguments: tool.commands)
    func sound(command: Command) {
        #expect(Set(command.flags.map(\.name)).count == command.flags.count)
        let shorts = command.flags.compactMap(\.short)
        #expect(Set(shorts).count == shorts.count && !shorts.contains("h"))
        for flag in command.flags {
            #expect(flag.placeholder.isEmpty == !flag.shape.takesValue, "\(flag.name)")
            if case .value(let text) = flag.fallback {
                #expect(flag.shape.problem(text) == nil, "\(flag.name)")
            }
        }
        #expect(!command.examples.isEmpty && !command.summary.hasSuffix("."))
    }

    @Test("options of one name have the same kind of value in every command")
    func namesAgree() {
        let settings = Self.tool.commands.flatMap(\.flags).filter(\.isInConfiguration)
        for (name, flags) in Dictionary(grouping: settings, by: \.name) {
            #expect(Set(flags.map(\.shape.takesValue)).count == 1, "\(name)")
        }
    }

    @Test("the batch options have the documented defaults")
    func defaults() {
        let documented = [
            "component": "emblem", "layout": "all", "scale": "1", "scheme": "light",
            "mode": "fit", "gravity": "auto", "appearance": "brand", "border": "0",
            "look": "logos", "effort": "default",
            "width": "square", "corner": "circular", "tint": "auto", "upscale": "always",
            "placeholder": "icon:account-balance",
            "format": "png", "sandbox": "process", "memory": "512M",
            "max-bytes": "20M", "max-pixels": "50M", "progress": "auto", "connections": "64",
            "per-host": "6", "timeout": "10", "item-timeout": "30",
            "retries": "2",
        ]
        var found: [String: String] = [:]
        for flag in CommandTable.batch.flags {
            if case .value(let text) = flag.fallback { found[flag.name] = text }
        }
        #expect(found == documented)
        #expect(Self.tool.command("render emblem")?.flag("layout")?.fallback == .value("medium"))
        #expect(Self.tool.command("render avatar")?.flag("layout")?.fallback == .value("default"))
    }

    @Test("the help of --layout states the heights and sides of the built-in theme")
    func layoutHeights() {
        let help = Options.layouts.flag.help
        for layout in EmblemLayout.allCases {
            let height = Int(Theme.builtIn.height(of: layout))
            let isStated = ["", " is"].contains {
                help.contains("\(layout.rawValue)\($0) \(height)")
            }
            #expect(isStated, "\(help)")
        }
        let details = String(Options.layouts.flag.details)
        for layout in AvatarLayout.allCases {
            #expect(details.contains("\(layout.rawValue) (\(Int(Theme.builtIn.side(of: layout)))"))
        }
    }

    @Test(
        "spare workers are started for commands with --sandbox that start no other runs",
        arguments: tool.commands)
    func drawing(command: Command) {
        let drawing = CommandTable.drawing { word, place in
            place < command.words.count && command.words[place] == word
        }
        let isWorkers = drawing == .inWorkers || drawing == .inOneWorker
        #expect(isWorkers == (command.flag("sandbox") != nil && command.base.isEmpty))
        #expect((drawing == .inWorkers) == (isWorkers && command.flag("jobs") != nil))
    }

    @Test("the examples of every command are valid", arguments: tool.commands)
    func examples(command: Command) throws {
        for (line, _) in command.examples where line.hasPrefix("emblem ") {
            let words = line.prefix { !"|<>".contains($0) }.split(separator: " ").map(
                String.init)
            let (found, rest) = try Self.tool.split(
                CommandTable.withComponent(Array(words.dropFirst())))
            #expect(found.name == command.name)
            _ = try ParsedArguments(Self.tool, found, arguments: rest)
        }
    }
}
