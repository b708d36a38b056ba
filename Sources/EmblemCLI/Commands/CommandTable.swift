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
        return entry?.drawing ?? .none
    }

    static let entries: [CommandEntry] = [
        CommandEntry(Declarations.batch, draws: .inWorkers, BatchCommand.run),
        CommandEntry(Declarations.renderEmblem, draws: .inOneWorker, RenderEmblemCommand.run),
        CommandEntry(Declarations.renderAvatar, draws: .inOneWorker, RenderAvatarCommand.run),
        CommandEntry(Declarations.renderBadge, draws: .here, RenderBadgeCommand.run),
        CommandEntry(Declarations.renderState, draws: .inOneWorker, RenderStateCommand.run),
        CommandEntry(Declarations.renderShimmer, draws: .here, RenderShimmerCommand.run),
        CommandEntry(Declarations.renderCatalog, draws: .here, RenderCatalogCommand.run),
        CommandEntry(Declarations.inspect, draws: .inOneWorker, InspectCommand.run),
        CommandEntry(Declarations.themeShow, ThemeCommands.show),
        CommandEntry(Declarations.themeCheck, ThemeCommands.check),
        CommandEntry(Declarations.themeExport, ThemeCommands.export),
        CommandEntry(Declarations.verify, VerifyCommand.run),
        CommandEntry(Declarations.prove, draws: .inWorkers, ProveCommand.run),
        CommandEntry(Declarations.merge, MergeCommand.run),
        CommandEntry(Declarations.diff, DiffCommand.run),
        CommandEntry(Declarations.stream, draws: .inWorkers, StreamCommand.run),
        CommandEntry(Declarations.failures, FailuresCommand.run),
        CommandEntry(Declarations.cachePath, CacheCommands.path),
        CommandEntry(Declarations.cacheSize, CacheCommands.size),
        CommandEntry(Declarations.cacheClear, CacheCommands.clear),
        CommandEntry(Declarations.bench, draws: .here, BenchCommand.run),
        CommandEntry(Declarations.formats, FormatsCommand.run),
        CommandEntry(Declarations.completions) { context in
            let shell = context.arguments.operands.first.flatMap(Completions.Shell.init)
            try context.output.write(
                Completions.script(context.arguments.tool, for: shell ?? .bash))
            return 0
        },
        CommandEntry(Declarations.manual) { context in
            let tool = context.arguments.tool
            if context.arguments[Options.schema] {
                let schema = ConfigurationSchema.text(
                    of: tool, identifier: "urn:emblem:schema:configuration-1",
                    sections: [Looks.schema])
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
