import Artwork
import Flags
import Theming

/// `emblem render emblem SOURCE -o FILE`: one emblem.
enum RenderEmblemCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let layout = context.arguments[Options.layout]
        let drawing = try PictureDrawing(.emblem(layout), context)
        return try await drawing.write(try subject(context.arguments))
    }

    private static func subject(_ arguments: ParsedArguments) throws -> PictureDrawing.Subject {
        switch (arguments.operands.first, arguments[Options.Emblem.icon]) {
        case (.some, .some):
            throw UsageError(
                "SOURCE and --icon cannot be used together.", remedy: "Remove one of them.")
        case (let source?, nil): return .source(source)
        case (nil, let icon?): return .icon(icon)
        case (nil, nil):
            guard
                let initials = arguments[Options.Emblem.label].flatMap({ Initials.from(label: $0) })
            else {
                throw UsageError(
                    "'emblem render emblem' needs a SOURCE, --icon NAME or --label TEXT.",
                    remedy: "Type 'emblem render emblem --icon account-balance -o icon.png'.")
            }
            return .initials(initials)
        }
    }
}
