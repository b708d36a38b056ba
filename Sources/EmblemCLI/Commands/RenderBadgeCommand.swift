import Artwork
import Console
import Flags
import Render
import Theming

/// `emblem render badge --text T -o FILE`: one badge.
enum RenderBadgeCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        let arguments = context.arguments
        let destination = try RenderDestination(arguments)
        let text = try arguments.required(Options.Badge.text)
        let appearance = arguments[Options.Badge.appearance]
        guard let badge = Badge(text, appearance: appearance) else {
            throw arguments.error(
                Options.Badge.text, "The text has no visible character.",
                remedy: "Give at least one character, as in --text 3.")
        }
        let look = StyleArguments(arguments: arguments)
        let theme = try look.theme(messages: context.messages)
        let scale = arguments[Options.scale]
        let scheme = arguments[Options.scheme]
        if destination.form == .svg {
            // A drawing has no pixels of its own; a point is one of the page.
            let style = BadgeStyle(appearance, theme: theme, scheme: scheme)
            let text = try badge.sketch(style).svg()
            try destination.write(Array(text.utf8), context)
            return 0
        }
        var recipe = Recipe(variants: [])
        try look.setForm(of: &recipe, .fixed(destination.format))
        let renderer = Renderer(theme: theme, artwork: EmblemArtwork())
        let image = try renderer.badge(badge, scale: scale, scheme: scheme, recipe: recipe)
        try destination.write(image.bytes, context)
        return 0
    }
}
