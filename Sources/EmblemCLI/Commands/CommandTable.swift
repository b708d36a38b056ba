import Console
import Flags

/// A command with its function, and the kind of drawing to prepare for.
package struct CommandEntry: Sendable {
    /// The kind of drawing that a command does. The process prepares for it before the command line
    /// is parsed.
    package enum Drawing {
        case none
        /// Draws in this process, or starts other `emblem` processes that draw.
        case here
        case inOneWorker
        /// Draws in as many workers as `--jobs` can use.
        case inWorkers
    }

    let command: Command
    let drawing: Drawing
    let action: @Sendable (CommandContext) async throws -> Int32

    init(
        _ command: Command, draws drawing: Drawing = .none,
        _ action: @escaping @Sendable (CommandContext) async throws -> Int32
    ) {
        self.command = command
        self.drawing = drawing
        self.action = action
    }
}

/// Every command of the tool, in the order of the help. The help, completions, pages, configuration
/// rules and process preparation are derived from this table.
package enum CommandTable {
    /// Returns the kind of drawing of the command on the command line; `.none` for an unknown
    /// command.
    ///
    /// - Parameter isWord: Returns whether the argument at a place is the given word. Place 0 is
    ///   the first argument after the program name.
    package static func drawing(
        _ isWord: (_ word: String, _ place: Int) -> Bool
    ) -> CommandEntry.Drawing {
        let entry = entries.first { entry in
            entry.command.words.enumerated().allSatisfy { place, word in isWord(word, place) }
        }
        // Without a component, `render` draws an emblem.
        return entry?.drawing ?? (isWord(render, 0) ? .inOneWorker : .none)
    }

    private static let render = "render"

    /// Returns the arguments of `emblem render SOURCE` as those of `emblem render emblem SOURCE`,
    /// and other arguments unchanged.
    package static func withComponent(_ arguments: [String]) -> [String] {
        guard arguments.count > 1, arguments[0] == render else { return arguments }
        let name = "\(render) \(arguments[1])"
        let isKnown = entries.contains { $0.command.name == name }
        if isKnown || GoneNames.instructions[name] != nil { return arguments }
        return [render, "emblem"] + arguments.dropFirst()
    }

    static let entries: [CommandEntry] = [
        CommandEntry(CommandDeclarations.batch, draws: .inWorkers, BatchCommand.run),
        CommandEntry(
            CommandDeclarations.renderEmblem, draws: .inOneWorker, RenderEmblemCommand.run),
        CommandEntry(
            CommandDeclarations.renderAvatar, draws: .inOneWorker, RenderAvatarCommand.run),
        CommandEntry(CommandDeclarations.renderBadge, draws: .here, RenderBadgeCommand.run),
        CommandEntry(CommandDeclarations.renderState, draws: .inOneWorker, RenderStateCommand.run),
        CommandEntry(CommandDeclarations.renderShimmer, draws: .here, RenderShimmerCommand.run),
        CommandEntry(CommandDeclarations.inspect, draws: .inOneWorker, InspectCommand.run),
        CommandEntry(CommandDeclarations.theme, ThemeCommand.run),
        CommandEntry(CommandDeclarations.verify, VerifyCommand.run),
        CommandEntry(CommandDeclarations.diff, DiffCommand.run),
        CommandEntry(CommandDeclarations.stream, draws: .inWorkers, StreamCommand.run),
        CommandEntry(CommandDeclarations.failures, FailuresCommand.run),
        CommandEntry(CommandDeclarations.cache, CacheCommand.run),
        CommandEntry(CommandDeclarations.bench, draws: .here, BenchCommand.run),
        CommandEntry(CommandDeclarations.formats, FormatsCommand.run),
        CommandEntry(CommandDeclarations.completions) { context in
            let shell = context.arguments.operands.first.flatMap(Completions.Shell.init)
            try context.output.write(
                Completions.script(context.arguments.tool, for: shell ?? .bash))
            return 0
        },
        CommandEntry(CommandDeclarations.manual) { context in
            let tool = context.arguments.tool
            if context.arguments[Options.schema] {
                let schema = ConfigurationSchema.text(
                    of: tool, identifier: "urn:emblem:schema:configuration-1")
                try context.output.write(schema)
                return 0
            }
            let isMarkdown = context.arguments[Options.markdown]
            try context.output.write(
                isMarkdown ? MarkdownReference.text(tool) : ManualPage.text(tool))
            return 0
        },
    ]
}
