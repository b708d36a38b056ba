import Artwork
import Console
import Engine
import Flags
import Notation
import Raster
import Render
import Theming
import Transport

extension Recipe {
    /// Refuses options that change pixels, since an SVG output keeps the picture unchanged.
    fileprivate func checkDrawing() throws(UsageError) {
        let pixelOptions = [
            ("look \(look)", look != .plain && (studiesLogos || trim != .none)),
            ("padding safe", padding == .safe),
            ("trim \(trim.rawValue)", trim != .none),
            ("background own", background == .own), ("background auto", background == .auto),
        ]
        guard let wish = pixelOptions.first(where: \.1)?.0 else { return }
        throw UsageError(
            "--\(wish) changes pixels, and an SVG output keeps the picture unchanged.",
            remedy: "Choose a name for -o that ends in .png or .webp, or remove --\(wish).")
    }
}

/// A single emblem or avatar for a `render` command: pixels, or an SVG in points, depending on the
/// extension of `-o`.
struct PictureDrawing {
    enum Subject {
        case source(String)
        case icon(BuiltInIcon)
        case initials(Initials)
    }

    /// The checked options, for one layout, scale and scheme.
    var settings: RunSettings
    /// Whether the placeholder is also drawn for a source that does not exist.
    var replacesMissingSource = false
    private let context: CommandContext
    private let destination: RenderDestination

    /// The size in pixels at which an SVG source is rendered to check it. Bitmaps in an SVG output
    /// keep a higher resolution for zooming.
    private static let box = PixelSize(width: 64, height: 64)

    init(_ layout: ComponentLayout, _ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        destination = try RenderDestination(arguments)
        let height = arguments[Options.height]
        for flag in arguments.flags where flag.name == "layout" && height != nil {
            try arguments.refuse(
                flag, "--layout and --height both set the size.", remedy: "Remove one of them.")
        }
        let layout = height.map { .square(layout.component, points: $0) } ?? layout
        // An SVG has no pixels; its unit is the point.
        let scale = destination.form == .svg ? 1 : arguments[Options.scale]
        settings = RunSettings(
            layout.component, layouts: [layout],
            schemes: [arguments[Options.scheme]],
            scales: [scale], theme: try context.theme())
        settings.recipe = try context.recipe(
            variants: settings.variants(of: settings.layouts), output: .fixed(destination.format),
            keepsPixels: destination.form == .svg)
        try settings.recipe.checkRoom(in: settings.theme)
        if destination.form == .svg { try settings.recipe.checkDrawing() }
        settings.network = try context.networkSettings()
        settings.mask = context.mask
    }

    /// Draws the subject or its placeholder and writes it to `-o`.
    ///
    /// - Returns: The exit code: 1 for a placeholder, otherwise 0.
    func write(_ subject: Subject) async throws -> Int32 {
        try checkSource(of: subject)
        let run = context.singleRun(settings)
        defer {
            run.network.shutDown()
            run.backend.close()
        }
        try await run.checkPlaceholder()
        var isPlaceholder = false
        if destination.form == .svg {
            let content: EmblemContent
            switch subject {
            case .source(let source):
                let (record, found) = await run.content(of: try item(source), in: Self.box)
                (content, isPlaceholder) = try shown(found, record, run)
            case .icon(let icon): content = .icon(icon)
            case .initials(let initials): content = .initials(initials)
            }
            try destination.write(sketch(of: content), context)
        } else {
            let rendering: Rendering
            switch subject {
            case .source(let source):
                let (record, drawn) = await run.draw(try item(source))
                (rendering, isPlaceholder) = try shown(drawn, record, run)
            case .icon(let icon): rendering = try draw(icon, run)
            case .initials(let initials): rendering = try draw(initials, run)
            }
            guard let image = rendering.images.first else {
                throw CommandFailure(1, "nothing was drawn")
            }
            try destination.write(image.bytes, context)
        }
        return isPlaceholder ? 1 : 0
    }

    /// Refuses an output that would replace its source.
    private func checkSource(of subject: Subject) throws {
        guard case .source(let text) = subject, destination.path != "-",
            case .file(let file)? = try? SourceReference.argument(text).kind,
            let source = FileFacts.at(file)?.identity,
            FileFacts.at(FilePath(destination.path))?.identity == source
        else { return }
        throw context.arguments.error(
            Options.output, "The output would overwrite the source.",
            remedy: "Choose another file.")
    }

    private func draw(_ icon: BuiltInIcon, _ run: RunContext) throws(RenderError) -> Rendering {
        try run.renderer.icon(icon, recipe: settings.recipe) { _ in }
    }

    /// Draws the initials. If no font has the characters, draws the icon of an avatar with a
    /// warning.
    private func draw(_ initials: Initials, _ run: RunContext) throws(RenderError) -> Rendering {
        do throws(RenderError) {
            return try run.renderer.initials(initials, recipe: settings.recipe) { _ in }
        } catch {
            guard settings.component == .avatar, case .encode(let reason) = error else {
                throw error
            }
            context.warn("\(reason); drew the icon instead")
            return try draw(settings.component.icon, run)
        }
    }

    private func sketch(of content: EmblemContent) throws(ArtworkError) -> Sketch {
        guard let variant = settings.recipe.variants.first else {
            preconditionFailure("One layout at one scale is one variant.")
        }
        let style = settings.recipe.style(for: variant, in: settings.theme)
        var sketch = try style.sketch(of: content, title: context.arguments[Options.Emblem.label])
        if let mark = settings.recipe.badge {
            try sketch.lay(
                mark, in: settings.theme, variant.scheme, radius: style.radiusPoints)
        }
        return sketch
    }

    // MARK: Sources

    private func item(_ source: String) throws -> BatchItem {
        try context.checkIsolation()
        return BatchItem(argument: source, label: context.arguments[Options.Emblem.label])
    }

    /// Returns the drawn value, and whether it is the placeholder, with a warning. Throws if nothing
    /// was drawn, or if the source does not exist and is not replaced.
    private func shown<Value>(
        _ shown: Value?, _ record: ItemRecord, _ run: RunContext
    ) throws -> (value: Value, isPlaceholder: Bool) {
        if let failure = run.backend.failure { throw failure }
        guard let failure = record.failure else {
            if let shown { return (shown, false) }
            throw CommandFailure(1, "\(record.source): cannot be drawn")
        }
        let isMissing = failure.errorClass == .notFound && !replacesMissingSource
        guard !isMissing, let shown else {
            throw CommandFailure(isMissing ? 66 : 1, "\(record.source): \(failure.clause)")
        }
        context.warn(
            "\(record.source): \(failure.clause) (\(failure.errorClass.rawValue)); "
                + "drew the placeholder \(record.placeholder ?? "") instead")
        return (shown, true)
    }
}
