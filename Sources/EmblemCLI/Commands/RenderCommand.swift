import Artwork
import Cell
import Codecs
import Console
import Engine
import Flags
import Raster
import Render
import Theming
import Transport

/// `emblem render emblem SOURCE -o FILE`: one emblem.
enum RenderCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        if RenderVectorCommand.isAsked(context) {
            return try await RenderVectorCommand.run(context)
        }
        let destination = try context.arguments.required("output")
        let layout = context.arguments.text("layout").flatMap(EmblemLayout.init) ?? .medium
        let shop = context.shop(try settings(for: destination, .emblem(layout), context))
        defer { shop.place.close() }
        try await GraphicDesk(shop).check(shop.settings.recipe.placeholder)
        try write(try await draw(with: shop, context).bytes, to: destination, context)
        return 0
    }

    /// Stores what was drawn under the name of `-o`, or hands it to standard output.
    static func write(
        _ bytes: [UInt8], to destination: String, _ context: CommandContext
    ) throws {
        guard destination != "-" else { return try context.output.write(bytes) }
        do throws(OutletError) {
            try SingleFile.write(bytes.span, to: FilePath(destination))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Every option, checked, for one picture in this layout.
    static func settings(
        for destination: String, _ layout: ComponentLayout, _ context: CommandContext
    ) throws -> RunSettings {
        let arguments = context.arguments
        let look = LookArguments(arguments: arguments)
        var settings = RunSettings(
            layout.component, layouts: [layout],
            schemes: [arguments.text("scheme").flatMap(ColorScheme.init) ?? .light],
            scales: [arguments.text("scale").flatMap(Double.init) ?? 1],
            theme: try look.theme(messages: context.messages))
        let output = OutputChoice.fixed(try format(of: destination))
        settings.recipe = try look.recipe(
            variants: settings.variants(of: settings.layouts), output: output)
        let network = NetworkArguments(
            arguments: arguments, environment: context.environment)
        settings.network = try network.settings()
        settings.mask = network.mask
        settings.renderTimeout = network.renderTimeout
        return settings
    }

    static func format(of destination: String) throws(CommandFailure) -> OutputFormat {
        if destination == "-" { return .png }
        if let format = OutputFormat.ofFile(destination) { return format }
        let endings = OutputFormat.allCases.map(\.fileExtension).joined(separator: ", ")
        throw CommandFailure(
            UsageError(
                "-o \(destination): the extension decides the format, and this one is unknown.",
                remedy: "Known are \(endings)."))
    }

    private static func draw(
        with shop: RunContext, _ context: CommandContext
    ) async throws -> RenderedImage {
        let arguments = context.arguments
        let label = arguments.text("label")
        switch (arguments.operands.first, arguments.text("icon")) {
        case (let source?, nil):
            return try await picture(source, label: label, with: shop, context)
        case (nil, let name?):
            guard let icon = BuiltInIcon(rawValue: name) else {
                throw UsageError.unknown(
                    "icon", name, among: BuiltInIcon.allCases.map(\.rawValue),
                    fallback: "Known are \(BuiltInIcon.allNames).")
            }
            return try only(shop.renderer.icon(icon, recipe: shop.settings.recipe) { _ in })
        case (nil, nil):
            guard let initials = label.flatMap({ Initials.from(label: $0) }) else {
                throw UsageError(
                    "'emblem render emblem' needs a SOURCE, --icon NAME or --label TEXT.",
                    remedy: "Type 'emblem render emblem --icon account-balance -o icon.png'.")
            }
            return try only(shop.renderer.initials(initials, recipe: shop.settings.recipe) { _ in })
        case (.some, .some):
            throw UsageError(
                "A SOURCE and --icon are two pictures.", remedy: "Leave one of them out.")
        }
    }

    /// The picture of `source`, or its placeholder and a word about it.
    static func picture(
        _ source: String, label: String?, with shop: RunContext, _ context: CommandContext
    ) async throws -> RenderedImage {
        try context.checkIsolation()
        let (record, rendering) = await shop.draw(BatchItem(argument: source, label: label))
        shop.network.close()
        let source = record.source
        if let failure = shop.place.failure { throw CommandFailure(failure) }
        if let failure = record.failure {
            let reason = failure.detail.isEmpty ? failure.message : failure.detail
            guard failure.errorClass != .notFound, let rendering else {
                throw CommandFailure(
                    failure.errorClass == .notFound ? 66 : 1, "\(source): \(reason)")
            }
            context.messages.line(
                "emblem: \(source): \(reason) (\(failure.errorClass.rawValue)); "
                    + "drew the placeholder \(record.placeholder ?? "") instead")
            return try only(rendering)
        }
        guard let rendering else { throw CommandFailure(1, "\(source): nothing was drawn") }
        return try only(rendering)
    }

    static func only(_ rendering: Rendering) throws(CommandFailure) -> RenderedImage {
        guard let image = rendering.images.first else {
            throw CommandFailure(1, "nothing was drawn")
        }
        return image
    }
}
