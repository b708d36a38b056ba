import Artwork
import Codecs
import Console
import Engine
import Flags
import Notation
import Raster
import Render
import Theming
import Transport

enum RenderEmblemCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let arguments = context.arguments
        let layout = ComponentLayout.emblem(arguments[Options.layout])
        let drawing = try PictureDrawing(layout, context)
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

enum RenderAvatarCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let arguments = context.arguments
        let layout = ComponentLayout.avatar(arguments[Options.Avatar.layout])
        try checkContent(arguments)
        let initials = try initials(arguments)
        var drawing = try PictureDrawing(layout, context)
        if let initials, !arguments.isSet(Options.placeholder) {
            drawing.settings.recipe.placeholder = .letters(initials)
            drawing.replacesMissingSource = true
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

    /// Refuses contradictory content, and a command without content.
    private static func checkContent(_ arguments: ParsedArguments) throws(UsageError) {
        let isIcon = arguments[Options.Avatar.icon]
        if isIcon, !arguments.operands.isEmpty {
            throw UsageError(
                "SOURCE and --icon cannot be used together.", remedy: "Remove one of them.")
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
            // An SVG has no pixels; its unit is the point.
            let style = BadgeStyle(appearance, theme: theme, scheme: scheme)
            var sketch = try badge.sketch(style)
            if let label = arguments[Options.spokenLabel] { sketch.title = label }
            try destination.write(Array(try sketch.svg().utf8), context)
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

/// `emblem render shimmer -o FILE`: draws the placeholder for an image that is being loaded.
enum RenderShimmerCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        let arguments = context.arguments
        let destination = try RenderDestination(arguments)
        guard case .pixels(let format) = destination.form else {
            throw UsageError(
                "A shimmer cannot be written as svg or html.",
                remedy: "Choose a name for -o that ends in .webp or .png.")
        }
        let frame = arguments[Options.shimmerFrame]
        guard frame != nil || format.supportsAnimation else {
            throw UsageError(
                "\(format.name) does not support animation.",
                remedy: "Use webp or png, or draw one frame with --frame 14.")
        }
        let theme = try StyleArguments(arguments: arguments).theme(messages: context.messages)
        let scheme = arguments[Options.scheme]
        var style = EmblemStyle(
            theme: theme, layout: arguments[Options.layout],
            appearance: arguments[Options.appearance],
            scheme: scheme, scale: arguments[Options.scale])
        style.corner = arguments[Options.corner]
        style.borderPoints = arguments[Options.border]
        guard style.borderPoints <= style.heightPoints / 4 else {
            throw UsageError(
                "--border leaves less than a quarter of the emblem.",
                remedy: "Use at most \(JSON.number(ofScale: style.heightPoints / 4).text) points.")
        }
        let shimmer = Shimmer(style, scheme: scheme)
        let surface = theme.color("theme.color.background.surface", scheme) ?? .white
        var settings = try RenderDestination.settings(format, surface: surface, arguments)
        // Lossless compression makes smooth gradients smaller.
        if format == .webp, !arguments.isSet(Options.quality) { settings.quality = .lossless }
        let bytes =
            if let frame {
                try ImageEncoder.encode(shimmer.frame(frame), settings)
            } else {
                try AnimationEncoder.encode(
                    shimmer.frames, format: format, quality: settings.quality)
            }
        try destination.write(bytes, context)
        return 0
    }
}
