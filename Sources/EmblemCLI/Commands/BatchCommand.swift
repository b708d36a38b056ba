import Artwork
import Batch
import Codecs
import Console
import Engine
import Flags
import Gauge
import Notation
import Render
import Theming
import Transport

/// `emblem batch`: everything is checked and planned before the first byte of a picture is read.
struct BatchCommand {
    let context: CommandContext
    let settings: RunSettings
    let template: NameTemplate
    let destination: FilePath
    /// What shall be said of no picture.
    let lintThatFails: [PictureLint.Kind]

    static func run(_ context: CommandContext) async throws -> Int32 {
        let command = try BatchCommand(context)
        try await context.checkPlaceholder(of: command.settings)
        let plan = try command.plan()
        if context.arguments[Options.dryRun] {
            return try DryRun(command: command, plan: plan).run()
        }
        return try await command.run(plan)
    }

    private init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        if arguments[Options.resume], arguments[Options.force] {
            throw arguments.error(
                Options.force, "It starts over, and --resume goes on.",
                remedy: "Leave one of them out.")
        }
        destination = FilePath(try arguments.required(Options.folder))
        lintThatFails = try Self.lintThatFails(arguments)
        settings = try RunSettings(context)
        template = try NameTemplate(for: settings, arguments)
        try checkPlaces()
    }

    private static func lintThatFails(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> [PictureLint.Kind] {
        var kinds: [PictureLint.Kind] = []
        for word in (arguments[Options.failOn] ?? "").split(separator: ",") {
            let word = String(word.drop { $0 == " " })
            guard let kind = PictureLint.Kind(rawValue: word) else {
                let known = PictureLint.Kind.allCases.map(\.rawValue)
                throw .unknown(
                    "lint", word, among: known,
                    fallback: "--fail-on takes \(known.joined(separator: ", ")).")
            }
            kinds.append(kind)
        }
        return kinds
    }

    /// What is written has somewhere to stand, which is better known before the work than after.
    private func checkPlaces() throws(CommandFailure) {
        if let obstacle = FileFacts.obstacle(to: destination) {
            throw CommandFailure(obstacle)
        }
        for option in [Options.metrics, Options.depfile, Options.trace] {
            guard let path = context.arguments[option] else { continue }
            let folder = FilePath(path).folder
            guard !folder.bytes.isEmpty, FileFacts.at(folder)?.kind != .folder else { continue }
            // The output folder is made before anything is written.
            guard folder.bytes != destination.withoutTrailingSlashes.bytes else { continue }
            throw CommandFailure(
                73, "--\(option.flag.name) \(path): there is no folder \(folder); make it first")
        }
    }

    /// The lists, in the order given.
    var lists: [String] { context.arguments[Options.list] }

    /// Reads every input once and settles all names.
    private func plan() throws -> BatchPlan {
        let arguments = context.arguments
        var inputs = arguments.operands.map { PlanInput.source($0) }
        let format = arguments[Options.listFormat].flatMap { ListFormat(name: $0) }
        inputs += lists.map { .list($0, format: format) }
        guard !inputs.isEmpty else {
            throw UsageError(
                "There is nothing to turn into emblems.",
                remedy: "Name files or folders, or a list with '--list FILE'.")
        }
        do throws(PlanError) {
            return try BatchPlan(
                inputs,
                options: PlanOptions(
                    remoteOnly: settings.remoteOnly, drawsLabels: settings.drawsLabels,
                    output: FileFacts.at(destination)?.identity,
                    scratch: FileFacts.nearestFolder(to: destination)))
        } catch {
            throw CommandFailure(error.exitCode, "\(error)")
        }
    }

    /// The places of the plan that this run works on.
    func places(of plan: BatchPlan) -> StrideTo<Int> {
        let shard = context.arguments[Options.shard] ?? Shard(index: 1, count: 1)
        let end = min(plan.count, context.arguments[Options.limit] ?? .max)
        return stride(from: shard.index - 1, to: max(end, shard.index - 1), by: shard.count)
    }
}
