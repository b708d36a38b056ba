import Artwork
import Engine
import Flags
import Render
import Theming

/// `emblem render avatar SOURCE -o FILE`: one avatar.
enum RenderAvatarCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let arguments = context.arguments
        let layout = arguments[Options.Avatar.layout]
        try checkContent(arguments)
        let initials = try initials(arguments)
        var drawing = try PictureDrawing(.avatar(layout), context)
        if let initials, !arguments.isSet(Options.placeholder) {
            drawing.settings.recipe.placeholder = .letters(initials)
        }
        return try await drawing.write(subject(initials, drawing, arguments))
    }

    private static func subject(
        _ initials: Initials?, _ drawing: PictureDrawing, _ arguments: ParsedArguments
    ) -> PictureDrawing.Subject {
        if let source = arguments.operands.first { return .source(source) }
        guard let initials, !arguments[Options.Avatar.icon] else {
            return .icon(drawing.settings.component.icon)
        }
        return .initials(initials)
    }

    /// Those of `--initials`, else those of the words of `--label`.
    private static func initials(_ arguments: ParsedArguments) throws -> Initials? {
        if let text = arguments[Options.Avatar.initials] {
            guard let initials = Initials(text) else {
                throw arguments.error(
                    Options.Avatar.initials, "\"\(text)\" has no visible character.",
                    remedy: "Give one or two letters, as in --initials JD.")
            }
            return initials
        }
        return arguments[Options.Avatar.label].flatMap { Initials.from(label: $0) }
    }

    /// One kind of content is asked for, and no more.
    private static func checkContent(_ arguments: ParsedArguments) throws(UsageError) {
        let isIcon = arguments[Options.Avatar.icon]
        if isIcon, !arguments.operands.isEmpty {
            throw UsageError(
                "SOURCE and --icon cannot be used together.", remedy: "Remove one of them.")
        }
        if isIcon, arguments.isSet(Options.Avatar.initials) {
            throw UsageError(
                "--initials and --icon cannot be used together.", remedy: "Remove one of them.")
        }
        let isNamed =
            arguments.isSet(Options.Avatar.initials) || arguments.isSet(Options.Avatar.label)
        guard isIcon || isNamed || !arguments.operands.isEmpty else {
            throw UsageError(
                "'emblem render avatar' needs a SOURCE, --initials TEXT, --label TEXT or --icon.",
                remedy: "Type 'emblem render avatar --initials JD -o jd.png'.")
        }
    }
}
