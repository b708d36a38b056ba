import Artwork
import Codecs
import Flags
import Notation
import Raster
import Theming

/// `emblem render shimmer -o FILE`: what stands for a picture that is being loaded.
enum RenderShimmerCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        let arguments = context.arguments
        let destination = try RenderDestination(arguments)
        guard case .pixels(let format) = destination.form else {
            throw UsageError(
                "A shimmer cannot be written as svg or html.",
                remedy: "Choose a name for -o that ends in .webp or .png.")
        }
        let isStill = arguments[Options.Shimmer.reducedMotion]
        if isStill {
            try arguments.refuse(
                Options.Shimmer.frame, "--frame and --reduced-motion cannot be used together.",
                remedy: "Remove one of them.")
        }
        let frame = isStill ? 0 : arguments[Options.Shimmer.frame]
        guard frame != nil || format.canMove else {
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
        // Slow shades are smaller without loss.
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
