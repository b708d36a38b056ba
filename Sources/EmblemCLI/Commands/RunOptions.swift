import Artwork
import Batch
import Codecs
import Console
import Engine
import Flags
import Gauge
import Notation
import Raster
import Render
import Targets
import Theming
import Transport
import Worker

extension RunSettings {
    /// Reads the options that `batch` and `stream` share.
    ///
    /// - Parameter targets: The targets of `batch`; empty for the other commands.
    init(_ context: CommandContext, _ targets: [TargetChoice] = []) throws {
        let arguments = context.arguments
        let component = try context.component()
        let layouts = try context.layouts(of: component)
        self.init(
            component, layouts: layouts,
            schemes: arguments[Options.schemes], scales: arguments[Options.scales].sorted(),
            theme: try context.theme(),
            jobs: arguments[Options.jobs] ?? MachineFacts.availableCores,
            memoryBytes: arguments[Options.memory],
            bytesLimit: arguments[Options.maxBytes])
        remoteOnly = arguments[Options.remoteOnly]
        sets = try context.pictureSets(targets)
        if !sets.isEmpty { scales = Set(sets.flatMap(\.scales)).sorted() }
        let format = sets.first?.formats.first.map { OutputChoice.fixed($0) }
        recipe = try context.recipe(
            variants: variants(of: layouts),
            output: format ?? arguments[Options.format].first ?? .fixed(.png))
        try checkSizes()
        refusal = NameTemplate.refusal(of: arguments, targets, in: self)
        network = try context.networkSettings()
        mask = context.mask
    }

    /// Refuses emblems that exceed the size limit of their format or the memory, before anything is
    /// loaded.
    private func checkSizes() throws(UsageError) {
        try recipe.checkRoom(in: theme)
        let smaller = "a smaller --scale or layout"
        if let large = recipe.variantTooLarge(in: theme) {
            throw UsageError(
                "Emblems of \(large.pixels) pixels are too large for \(large.format.name), which "
                    + "allows \(large.format.edgeLimit) per side.",
                remedy: "Choose \(smaller), or another --format.")
        }
        if recipe.variants.count > Recipe.variantsLimit {
            throw UsageError(
                "An item would have \(recipe.variants.count) outputs; the limit is "
                    + "\(Recipe.variantsLimit).",
                remedy: "Use fewer values for --height or --scale.")
        }
        let needed = RenderCost.outputBytes(recipe, theme)
        guard needed > decodeBytes else { return }
        // A share of the memory is reserved for loaded sources that wait for decoding.
        let share = Double(decodeBytes) / Double(memoryBytes)
        // The source and its reduced copies need some memory, too.
        let most = Int(Double(needed + 1 << 20) / share / Double(1 << 20)) + 1
        let size = recipe.variants.map { recipe.style(for: $0, in: theme).plainCanvas }
            .max { $0.area < $1.area }
        throw UsageError(
            "Emblems of \(size?.width ?? 0) × \(size?.height ?? 0) pixels need more memory than "
                + "--memory allows.",
            remedy: "Use --memory \(most)M or more, or \(smaller).")
    }

    /// Returns the images of a target, or nil for all.
    func set(ofTarget index: Int) -> PictureSet? { sets.isEmpty ? nil : sets[index] }

    /// Whether the label of an item may be drawn as initials, in place of its image.
    var drawsLabels: Bool { recipe.placeholder == .initials }
}

extension Recipe {
    /// Checks that border and padding leave enough of every emblem.
    func checkRoom(in theme: Theme) throws(UsageError) {
        guard let (variant, most) = variantTooTight(in: theme) else { return }
        let layout = "\(component.phrase) of layout \(variant.layout.name)"
        throw UsageError(
            "--padding and --border leave less than a quarter of \(layout).",
            remedy: "Use at most \(JSON.number(ofScale: most).text) points together, or 25% of the "
                + "height.")
    }
}

extension NameTemplate {
    /// Reads `--name`, and checks that all outputs of an item have different names.
    init(
        for settings: RunSettings, _ arguments: ParsedArguments, set: PictureSet? = nil
    ) throws(PlanError) {
        guard let text = arguments[Options.name] else {
            self = .standard
            return
        }
        try self.init(text)
        let variants = Self.variants(of: settings.recipe, settings.theme, set)
        try check(variants)
        try checkExtension(settings.recipe.output == .same ? nil : variants.map(\.fileExtension))
    }

    /// Returns the check of the outputs that a row chooses: their names must differ, too.
    fileprivate static func refusal(
        of arguments: ParsedArguments, _ targets: [TargetChoice], in settings: RunSettings
    ) -> (@Sendable (Recipe) -> String?)? {
        guard let template = arguments[Options.name].flatMap({ try? NameTemplate($0) }) else {
            return nil
        }
        let files = targets.indices.filter { targets[$0].kind == .files }
        // A stream has no targets, and names all its images.
        let sets = targets.isEmpty ? [nil] : files.map { settings.set(ofTarget: $0) }
        return { [theme = settings.theme] recipe in
            for set in sets {
                do throws(PlanError) {
                    try template.check(variants(of: recipe, theme, set))
                } catch {
                    return "\(error)"
                }
            }
            return nil
        }
    }

    /// Returns the parts of a name that distinguish the outputs of one item. With `--format same`
    /// the extension is not known yet.
    ///
    /// - Parameter set: Limits the result to the images of this set; nil for all.
    private static func variants(
        of recipe: Recipe, _ theme: Theme, _ set: PictureSet?
    ) -> [NameVariant] {
        recipe.variants.filter { set?.holds($0) ?? true }.map { variant in
            NameVariant(
                layout: variant.layout.name, scale: variant.scale,
                scheme: variant.scheme.rawValue,
                height: recipe.style(for: variant, in: theme).height,
                fileExtension: recipe.format(of: variant, source: nil).fileExtension)
        }
    }
}

extension CommandContext {
    /// Checks a file of `--placeholder` before anything is loaded. This uses up the workers that
    /// were forked in advance; the run starts new workers later.
    func checkPlaceholder(of settings: RunSettings) async throws {
        guard case .picture = settings.recipe.placeholder else { return }
        let run = singleRun(settings)
        defer { run.backend.close() }
        try await run.checkPlaceholder()
    }

    /// Returns the context that all jobs of a run share. Fewer workers start in advance if fewer
    /// items are expected.
    func runContext(_ settings: RunSettings, expecting items: Int = .max) -> RunContext {
        runContext(
            settings, workers: WorkerSettings.count(jobs: settings.jobs),
            early: min(items, WorkerSettings.count(jobs: MachineFacts.availableCores)))
    }

    /// Returns a context that renders one image at a time.
    func singleRun(_ settings: RunSettings) -> RunContext {
        runContext(settings, workers: 1, early: 1)
    }

    /// Returns a context with at most `count` workers, of which `early` start before the first
    /// image; without workers for `--sandbox none`.
    private func runContext(_ settings: RunSettings, workers count: Int, early: Int) -> RunContext {
        let renderer = Renderer(theme: settings.theme, artwork: EmblemArtwork())
        let isolation = arguments[Options.sandbox]
        guard isolation != .none else { return RunContext(settings: settings, renderer: renderer) }
        var workers = WorkerSettings(
            count: count, memoryBytes: settings.decodeBytes, early: early)
        workers.isolation = isolation
        return RunContext(
            settings: settings, renderer: renderer,
            workers: WorkerPool(settings: workers, renderer: renderer))
    }

    // MARK: Isolation

    /// Throws before the first image if the kernel would refuse the requested sandbox, and warns if
    /// the sandbox would be weaker than usual.
    func checkIsolation() throws(OrderError) {
        let isolation = arguments[Options.sandbox]
        if let refusal = isolation.refusal { throw refusal }
        if let warning = isolation.warning { warn(warning) }
    }

    /// Warns if the sandbox of the workers turned out to be weaker than usual.
    func checkIsolation(after run: RunContext) {
        if let warning = arguments[Options.sandbox].warning(about: run.confinement) {
            warn(warning)
        }
    }
}
