import Artwork
import Cell
import Console
import Engine
import Flags
import Render
import Theming

/// `emblem render avatar SOURCE -o FILE`: one avatar.
enum RenderAvatarCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let arguments = context.arguments
        let destination = try arguments.required("output")
        try checkContent(arguments)
        let layout = arguments.text("layout").flatMap(AvatarLayout.init) ?? .default
        if RenderVectorCommand.isAsked(context) {
            try await RenderVectorCommand.draw(.avatar(layout), context) { recipe in
                let initials = try Self.initials(arguments)
                if let source = arguments.operands.first {
                    return try await RenderVectorCommand.content(
                        of: source, recipe, initials, context)
                }
                let isIcon = arguments.toggle("icon")
                return initials.flatMap { isIcon ? nil : .initials($0) }
                    ?? .icon(recipe.component.icon)
            }
            return 0
        }
        var settings = try RenderCommand.settings(for: destination, .avatar(layout), context)
        let initials = try Self.initials(arguments)
        if let initials, !arguments.isSet("placeholder") {
            settings.recipe.placeholder = .letters(initials)
        }
        let shop = context.shop(settings)
        defer { shop.place.close() }
        try await GraphicDesk(shop).check(shop.settings.recipe.placeholder)
        let image = try await draw(initials, with: shop, context)
        try RenderCommand.write(image.bytes, to: destination, context)
        return 0
    }

    /// Those of `--initials`, else those of the words of `--label`.
    private static func initials(_ arguments: ParsedArguments) throws -> Initials? {
        if let text = arguments.text("initials") {
            guard let initials = Initials(text) else {
                throw arguments.error(
                    "initials", "\"\(text)\" holds no character that could be drawn.",
                    remedy: "Give one or two, as in --initials JD.")
            }
            return initials
        }
        return arguments.text("label").flatMap { Initials.from(label: $0) }
    }

    /// One kind of content is asked for, and no more.
    private static func checkContent(_ arguments: ParsedArguments) throws(UsageError) {
        let isIcon = arguments.toggle("icon")
        if isIcon, !arguments.operands.isEmpty {
            throw UsageError(
                "A SOURCE and --icon are two pictures.", remedy: "Leave one of them out.")
        }
        if isIcon, arguments.isSet("initials") {
            throw UsageError(
                "--initials and --icon are two pictures.", remedy: "Leave one of them out.")
        }
        let isNamed = arguments.isSet("initials") || arguments.isSet("label")
        guard isIcon || isNamed || !arguments.operands.isEmpty else {
            throw UsageError(
                "'emblem render avatar' needs a SOURCE, --initials TEXT, --label TEXT or --icon.",
                remedy: "Type 'emblem render avatar --initials JD -o jd.png'.")
        }
    }

    private static func draw(
        _ initials: Initials?, with shop: RunContext, _ context: CommandContext
    ) async throws -> RenderedImage {
        let arguments = context.arguments
        if let source = arguments.operands.first {
            return try await RenderCommand.picture(
                source, label: arguments.text("label"), with: shop, context)
        }
        guard let initials, !arguments.toggle("icon") else { return try icon(with: shop) }
        return try letters(initials, with: shop, context)
    }

    /// The initials, or the icon and a word about it where no font has their characters.
    private static func letters(
        _ initials: Initials, with shop: RunContext, _ context: CommandContext
    ) throws -> RenderedImage {
        let rendering: Rendering
        do throws(RenderError) {
            rendering = try shop.renderer.initials(initials, recipe: shop.settings.recipe) { _ in }
        } catch {
            guard case .encode(let reason) = error else { throw error }
            context.messages.line("emblem: \(reason); drew the icon instead")
            return try icon(with: shop)
        }
        return try RenderCommand.only(rendering)
    }

    private static func icon(with shop: RunContext) throws -> RenderedImage {
        let recipe = shop.settings.recipe
        return try RenderCommand.only(
            shop.renderer.icon(recipe.component.icon, recipe: recipe) { _ in })
    }
}
