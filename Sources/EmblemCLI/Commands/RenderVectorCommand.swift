import Artwork
import Codecs
import Console
import Engine
import Flags
import Raster
import Render
import Theming
import Transport

/// `emblem render emblem SOURCE -o FILE.svg`: one emblem as a drawing.
enum RenderVectorCommand {
    /// Whether the name of `-o` asks for a drawing.
    static func isAsked(_ context: CommandContext) -> Bool {
        context.arguments.text("output")?.lowercased().hasSuffix(".svg") == true
    }

    static func run(_ context: CommandContext) async throws -> Int32 {
        let layout = context.arguments.text("layout").flatMap(EmblemLayout.init) ?? .medium
        try await draw(.emblem(layout), context) { recipe in try await content(recipe, context) }
        return 0
    }

    /// Draws what `content` finds, and the badge over it.
    static func draw(
        _ layout: ComponentLayout, _ context: CommandContext,
        content: (Recipe) async throws -> EmblemContent
    ) async throws {
        let arguments = context.arguments
        let destination = try RenderDestination(arguments)
        let look = LookArguments(arguments: arguments)
        let theme = try look.theme(messages: context.messages)
        let scheme = arguments.text("scheme").flatMap(ColorScheme.init) ?? .light
        let variant = Variant(layout: layout, scale: 1, scheme: scheme)
        let recipe = try look.recipe(variants: [variant], output: .fixed(.png))
        if case .picture = recipe.placeholder {
            let desk = GraphicDesk(context.graphicSettings(), context)
            defer { desk.close() }
            try await desk.check(recipe.placeholder)
        }
        let content = try await content(recipe)
        let svg: String
        do throws(ArtworkError) {
            let style = recipe.style(for: variant, in: theme)
            var sketch = try style.sketch(
                of: content, title: arguments.text("label"),
                summary: arguments.command.flag("hint") == nil ? nil : arguments.text("hint"))
            if let mark = recipe.badge {
                try sketch.lay(mark, in: theme, scheme)
            }
            svg = try sketch.svg()
        } catch {
            throw CommandFailure(1, "\(error)")
        }
        try destination.write(Array(svg.utf8), context)
    }

    private static func content(
        _ recipe: Recipe, _ context: CommandContext
    ) async throws -> EmblemContent {
        let arguments = context.arguments
        let initials = arguments.text("label").flatMap { Initials.from(label: $0) }
        switch (arguments.operands.first, arguments.text("icon")) {
        case (.some, .some):
            throw UsageError(
                "A SOURCE and --icon are two pictures.", remedy: "Leave one of them out.")
        case (nil, let name?):
            guard let icon = BuiltInIcon(rawValue: name) else {
                throw UsageError.unknown(
                    "icon", name, among: BuiltInIcon.allCases.map(\.rawValue),
                    fallback: "Known are \(BuiltInIcon.allNames).")
            }
            return .icon(icon)
        case (nil, nil):
            guard let initials else {
                throw UsageError(
                    "'emblem render emblem' needs a SOURCE, --icon NAME or --label TEXT.",
                    remedy: "Type 'emblem render emblem --icon account-balance -o icon.svg'.")
            }
            return .initials(initials)
        case (let source?, nil):
            return try await content(of: source, recipe, initials, context)
        }
    }

    /// What a source shows, or what stands in for it.
    static func content(
        of source: String, _ recipe: Recipe, _ initials: Initials?, _ context: CommandContext
    ) async throws -> EmblemContent {
        if let icon = BuiltInIcon(source: source) { return .icon(icon) }
        var settings = context.graphicSettings()
        settings.recipe.limits = recipe.limits
        settings.recipe.allowTruncated = recipe.allowTruncated
        let desk = GraphicDesk(settings, context)
        defer { desk.close() }
        let name = SourceMask().shown(source)
        do {
            return try await content(of: try await load(source, context), at: desk, named: name)
        } catch let failure as CommandFailure where failure.exitCode == 1 {
            let standIn = try await placeholder(
                recipe.placeholder, initials, recipe.component.icon, at: desk)
            guard let standIn else { throw failure }
            context.messages.line("emblem: \(failure); drew the placeholder instead")
            return standIn
        }
    }

    /// A drawing is drawn once, small, to see that it can be.
    private static func content(
        of bytes: [UInt8], at desk: GraphicDesk, named name: String
    ) async throws -> EmblemContent {
        let graphic: GraphicDesk.Graphic
        do {
            let box = PixelSize(width: 64, height: 64)
            graphic = try await desk.graphic(bytes, in: box, named: name)
        } catch let failure as CommandFailure where failure.exitCode == 65 {
            throw CommandFailure(1, failure.message)
        }
        return switch graphic.content {
        case .drawing(let drawing): .drawing(drawing)
        case .picture(let picture): .picture(picture)
        case .icon(let icon): .icon(icon)
        }
    }

    private static func placeholder(
        _ choice: PlaceholderChoice, _ initials: Initials?, _ icon: BuiltInIcon,
        at desk: GraphicDesk
    ) async throws -> EmblemContent? {
        switch choice {
        case .none: nil
        case .icon(let icon): .icon(icon)
        case .letters(let initials): .initials(initials)
        case .picture(let name, let bytes): try await content(of: bytes, at: desk, named: name)
        default: initials.map { .initials($0) } ?? .icon(icon)
        }
    }

    /// The bytes of a source; what is not there is 66, what cannot be loaded 1.
    private static func load(_ text: String, _ context: CommandContext) async throws -> [UInt8] {
        let limit = 20 << 20
        do throws(IntakeError) {
            let source = try SourceReference.argument(text)
            switch source.kind {
            case .file(let path): return try FileIntake.read(path, bytesLimit: limit).bytes
            case .data: return try DataURI.decode(source.text, bytesLimit: limit)
            case .standardInput: return try StandardInput.read(bytesLimit: limit)
            case .icon(let name): throw .noIcon(name)
            case .remote, .given: break
            }
        } catch {
            switch error {
            case .notFound, .noIcon:
                throw CommandFailure(66, "\(SourceMask().shown(text)): \(error)")
            default: break
            }
            throw CommandFailure(1, "\(SourceMask().shown(text)): \(error)")
        }
        let network = NetworkArguments(
            arguments: context.arguments, environment: context.environment)
        let door = NetworkDoor(try network.settings())
        defer { door.close() }
        let outcome = await (try door.loader()).load(NetworkRequest(url: text))
        switch outcome.result {
        case .success(let response): return response.body.bytes
        case .failure(let failure):
            throw CommandFailure(1, "\(SourceMask().shown(text)): \(failure)")
        }
    }
}
