import Artwork
import Codecs
import Console
import Flags
import Gauge
import Pipeline
import Render
import Theming
import Transport

/// `emblem batch`: everything is checked and planned before the first byte of a picture is read.
struct BatchCommand {
    let context: CommandContext
    let settings: RunSettings
    let template: NameTemplate
    let destination: FilePath

    static func run(_ context: CommandContext) async throws -> Int32 {
        let command = try BatchCommand(context)
        try await command.checkPlaceholder()
        let plan = try command.plan()
        if context.arguments.toggle("dry-run") {
            return try DryRun(command: command, plan: plan).run()
        }
        return try await command.run(plan)
    }

    private init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        if arguments.toggle("resume"), arguments.toggle("force") {
            throw arguments.error(
                "force", "It starts over, and --resume goes on.", remedy: "Leave one of them out.")
        }
        destination = FilePath(try arguments.required("output"))
        let look = LookArguments(arguments: arguments)
        let component = try look.component()
        let layouts = try look.layouts(of: component)
        let scheme = arguments.text("scheme") ?? "light"
        var settings = RunSettings(
            component, layouts: layouts,
            schemes: ColorScheme(rawValue: scheme).map { [$0] } ?? ColorScheme.allCases,
            scales: arguments.scales("scale").sorted(),
            theme: try look.theme(messages: context.messages),
            jobs: arguments.whole("jobs") ?? MachineFacts.availableCores,
            memoryBytes: arguments.whole("memory") ?? 512 << 20,
            bytesLimit: arguments.whole("max-bytes") ?? 20 << 20)
        let format = arguments.text("format").flatMap(OutputFormat.named)
        settings.recipe = try look.recipe(
            variants: settings.variants(of: layouts), output: format.map { .fixed($0) } ?? .same)
        settings.badgeCorner = look.badgeCorner
        settings.recipe.limits.pixels = arguments.whole("max-pixels") ?? 50_000_000
        settings.recipe.allowTruncated = arguments.toggle("allow-truncated")
        settings.remoteOnly = arguments.toggle("remote-only")
        let network = NetworkArguments(
            arguments: arguments, environment: context.environment)
        settings.network = try network.settings()
        settings.mask = network.mask
        settings.renderTimeout = network.renderTimeout
        self.settings = settings
        template = try Self.template(for: settings, arguments)
        try checkPlaces()
    }

    /// The processes made in advance are used up by it; those of the run are started later.
    private func checkPlaceholder() async throws {
        guard case .picture = settings.recipe.placeholder else { return }
        let desk = GraphicDesk(settings, context)
        defer { desk.close() }
        try await desk.check(settings.recipe.placeholder)
    }

    /// What is written has somewhere to stand, which is better known before the work than after.
    private func checkPlaces() throws(CommandFailure) {
        if let obstacle = FileFacts.obstacle(to: destination) {
            throw CommandFailure(obstacle)
        }
        for name in ["metrics", "depfile", "trace"] {
            guard let path = context.arguments.text(name) else { continue }
            let folder = FilePath(path).folder
            guard !folder.bytes.isEmpty, FileFacts.at(folder)?.kind != .folder else { continue }
            // The output folder is made before anything is written.
            guard folder.bytes != destination.withoutTrailingSlashes.bytes else { continue }
            throw CommandFailure(
                73, "--\(name) \(path): there is no folder \(folder); make it first")
        }
    }

    /// The lists, in the order given.
    var lists: [String] { context.arguments.texts("list") }

    /// The template of `--name`, once it is sure that no two outputs of an item share a name.
    private static func template(
        for settings: RunSettings, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> NameTemplate {
        guard let text = arguments.text("name") else { return .standard }
        do throws(PlanError) {
            let template = try NameTemplate(text)
            try template.check(settings.nameVariants)
            return template
        } catch {
            throw CommandFailure(error.exitCode, "\(error)")
        }
    }

    /// Reads every input once and settles all names.
    private func plan() throws -> BatchPlan {
        let arguments = context.arguments
        var inputs = arguments.operands.map { PlanInput.source($0) }
        let format = arguments.text("list-format").flatMap { ListFormat(name: $0) }
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
        let shard = context.arguments.shard("shard") ?? Shard(index: 1, count: 1)
        let end = min(plan.count, context.arguments.whole("limit") ?? .max)
        return stride(from: shard.index - 1, to: max(end, shard.index - 1), by: shard.count)
    }
}

extension RunSettings {
    /// What tells the outputs of one item apart. With `--format same` any extension is possible.
    fileprivate var nameVariants: [NameVariant] {
        recipe.variants.map { variant in
            NameVariant(
                layout: variant.layout.name, scale: variant.scale,
                scheme: variant.scheme.rawValue,
                height: recipe.style(for: variant, in: theme).height,
                fileExtension: recipe.output.format(for: nil).fileExtension)
        }
    }

    /// A label can show in a picture, as initials.
    fileprivate var drawsLabels: Bool { recipe.placeholder == .initials }
}
