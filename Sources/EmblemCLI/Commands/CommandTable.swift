import Console
import Flags

/// What an action is given: checked arguments, and the streams it may write to.
struct CommandContext: Sendable {
    let arguments: ParsedArguments
    /// The variables that the tool looks at, and no others.
    let environment: [String: String]
    /// Data; flushed after the action.
    let output: OutputStream
    /// Messages and progress.
    let messages: MessageStream
}

/// A declared command with the code that carries it out, which returns an exit code.
struct CommandEntry: Sendable {
    let command: Command
    let action: @Sendable (CommandContext) async throws -> Int32

    init(
        _ command: Command, _ action: @escaping @Sendable (CommandContext) async throws -> Int32
    ) {
        self.command = command
        self.action = action
    }
}

/// An error that knows the exit code it leads to.
protocol ExitCoded: Error {
    var exitCode: Int32 { get }
}

/// Everything the tool can do, in the order in which the help lists it.
enum CommandTable {
    static let entries: [CommandEntry] = [
        CommandEntry(Declarations.batch, BatchCommand.run),
        CommandEntry(Declarations.renderEmblem, RenderEmblemCommand.run),
        CommandEntry(Declarations.renderAvatar, RenderAvatarCommand.run),
        CommandEntry(Declarations.renderBadge) { context in try RenderBadgeCommand.run(context) },
        CommandEntry(Declarations.renderState, RenderStateCommand.run),
        CommandEntry(Declarations.renderShimmer) { context in
            try RenderShimmerCommand.run(context)
        },
        CommandEntry(Declarations.renderCatalog) { context in
            try RenderCatalogCommand.run(context)
        },
        CommandEntry(Declarations.inspect, InspectCommand.run),
        CommandEntry(Declarations.themeShow) { context in try ThemeCommands.show(context) },
        CommandEntry(Declarations.themeCheck) { context in try ThemeCommands.check(context) },
        CommandEntry(Declarations.verify) { context in try VerifyCommand.run(context) },
        CommandEntry(Declarations.merge) { context in try MergeCommand.run(context) },
        CommandEntry(Declarations.diff) { context in try DiffCommand.run(context) },
        CommandEntry(Declarations.stream, StreamCommand.run),
        CommandEntry(Declarations.failures) { context in try FailuresCommand.run(context) },
        CommandEntry(Declarations.cachePath) { context in try CacheCommands.path(context) },
        CommandEntry(Declarations.cacheSize) { context in try CacheCommands.size(context) },
        CommandEntry(Declarations.cacheClear) { context in try CacheCommands.clear(context) },
        CommandEntry(Declarations.bench, BenchCommand.run),
        CommandEntry(Declarations.formats) { context in try await FormatsCommand.run(context) },
        CommandEntry(Declarations.completions) { context in
            let shell = context.arguments.operands.first.flatMap(Completions.Shell.init)
            try context.output.write(
                Completions.script(context.arguments.tool, for: shell ?? .bash))
            return 0
        },
        CommandEntry(Declarations.manual) { context in
            let tool = context.arguments.tool
            let isMarkdown = context.arguments[Options.markdown]
            try context.output.write(
                isMarkdown ? MarkdownReference.text(tool) : ManualPage.text(tool))
            return 0
        },
    ]
}
