import Artwork
import Codecs
import Notation
import Raster
import Theming

extension LookOption {
    /// Every option that sets something in a recipe, in the order of the help. Whatever a recipe
    /// holds besides its variants is set by one of them.
    package static let all: [LookOption] = [
        LookOption(
            "look", \.look, .look, "LOOK",
            record: { $0.look == Look.plain.name ? nil : .string($0.look) },
            help: "A set of options, which other options override; 'emblem help looks' "
                + "tells what each look stands for."),
        LookOption(
            "mode", \.mode, .choice, "MODE", isColumn: true,
            help: "Show the whole picture, or fill the emblem and crop to its centre; "
                + "avatars are filled unless this is given."),
        LookOption(
            "appearance", \.appearance, .choice, "A", isColumn: true,
            help: "Colours of background, foreground and border."),
        LookOption(
            "padding", \.padding, .padding, "PT|P%|safe|round",
            help: "Kept free between the picture and the edge or border: points, a share of the "
                + "height, the least at which the corners cut nothing of the picture, or round: 8% "
                + "from the round outline for logos without a ground of their own. A quarter of "
                + "the emblem is left at least."),
        LookOption(
            "width", \.width, .choice, "WIDTH",
            help: "Square, or as wide as the picture at this height, up to four times the height."),
        LookOption(
            "corner", \.corner, .choice, "CORNER", help: "Curve of the rounded corners."),
        LookOption(
            "border", \.borderPoints, .points, "PT", recordedAfter: "padding",
            help: "Thickness of the border in points; the picture stands inside of it."),
        LookOption(
            "trim", \.trim, .choice, "WHAT",
            help: "Cut margins before the picture is fitted: those that are transparent or of one "
                + "colour (auto), or transparent ones alone."),
        LookOption(
            "balance", \.balance, .choice, "HOW",
            help: "Draw pictures so large that they look alike in a row, instead of as large as "
                + "fits."),
        LookOption(
            "background", \.background, .choice, "RULE",
            help: "The background of the appearance; the first of --background-from on which the "
                + "picture is legible (auto); the picture's own ground where it has one (own), or "
                + "else the one of --background-from on which most of it shows (shown)."),
        LookOption(
            "background-from", \.backgroundFrom, .appearances, "LIST",
            inWords: "the appearance, category8",
            help: "Appearances whose backgrounds --background auto and shown try, in this order; "
                + "then once more in the colours of the other scheme."),
        LookOption(
            "tint", \.tint, .choice, "WHEN",
            help: "Draw pictures in the foreground colour; auto does so for templates only."),
        LookOption(
            "upscale", \.upscale, .words(on: "always", off: "never"), "WHEN",
            help: "Enlarge pictures that are smaller than the emblem."),
        LookOption(
            "enlarge", \.enlarge, .choice, "HOW",
            record: { $0.enlarge == .smooth ? nil : .string($0.enlarge.rawValue) },
            help: "Enlarge small pictures of few colours with narrow edges (sharp), and those "
                + "under 48 pixels to twice their size at most."),
        LookOption("linear", \.linear, .toggle, help: "Resample in linear light."),
        LookOption(
            "badge", \.pill, .optional(.badge), "TEXT:APPEARANCE", isColumn: true, off: .some(nil),
            help: "A pill of text over a corner, as in '3:danger', or a dot, as in 'dot:danger'; "
                + "its appearance is "
                + BadgeAppearance.allCases.map(\.rawValue).joined(separator: ", ") + "."),
        LookOption(
            "badge-corner", \.badgeCorner, .choice, "CORNER",
            // A badge of a row lies there, even if the run has none.
            record: { recipe in
                recipe.pill != nil || recipe.badgeCorner != .topRight
                    ? .string(recipe.badgeCorner.rawValue) : nil
            },
            help: "The corner of the badge."),
        LookOption(
            "placeholder", \.placeholder, .placeholder, "P", isColumn: true,
            help: "What stands for a picture that cannot be loaded: icon:NAME, initials (of the "
                + "label), initials:AB, a FILE, or none; for avatars initials, then icon:person, "
                + "unless this is given."),
        LookOption(
            "format", \.output, .output, "FORMAT", topic: .form,
            help: "Format of the emblems; same keeps that of the source."),
        LookOption(
            "quality", \.quality, .optional(.quality), "Q", inWords: defaultQualities, topic: .form,
            record: { recipe in
                guard recipe.canStore(where: \.canBeLossy) else { return nil }
                return recipe.quality.flatMap(LookForm.quality.json)
            },
            help: "Quality from 1 to 100, or lossless."),
        LookOption(
            "palette", \.palette, .toggle, topic: .form,
            record: { recipe in .bool(recipe.palette && recipe.canStore { $0 == .png }) },
            help: "Store PNG with a palette of at most 256 colours."),
        LookOption(
            "matte", \.matte, .optional(.color), "COLOR", inWords: "the theme's surface",
            topic: .form,
            record: { recipe in
                guard recipe.canStore(where: { !$0.hasAlpha }) else { return nil }
                return recipe.matte.map { .string($0.hex) }
            },
            help: "Colour behind the corners of formats without alpha."),
        LookOption(
            "max-pixels", \.limits, .limits, "N", topic: .limits,
            help: "Largest picture, in pixels; a progressive JPEG may have half of them."),
        LookOption(
            "allow-truncated", \.allowTruncated, .toggle, topic: .limits,
            help: "Show what there is of a picture whose data end too early."),
        LookOption(
            "codecs", \.codecs, .choice, "WHOSE", topic: .means,
            help: "Code of emblem's own where it is quicker, or libpng, libjpeg-turbo and libwebp "
                + "alone ('emblem formats' tells which reads what). Pixels of PNG are the same; those "
                + "of JPEG and WebP that are shown small may differ, by some 16 of 255 levels at most."
        ),
    ]

    /// The same in the order in which records state them.
    package static let recorded: [LookOption] = {
        var options = all.filter { $0.recordedAfter == nil }
        for option in all {
            guard let name = option.recordedAfter,
                let index = options.firstIndex(where: { $0.name == name })
            else { continue }
            options.insert(option, at: index + 1)
        }
        return options
    }()

    /// The one that sets what `path` names.
    package static func of(_ path: PartialKeyPath<Recipe>) -> LookOption {
        guard let option = all.first(where: { $0.path == path }) else {
            preconditionFailure("No option sets this part of a recipe.")
        }
        return option
    }

    /// Those of the formats that lose something unless told otherwise.
    private static var defaultQualities: String {
        OutputFormat.allCases.compactMap { format in
            guard case .lossy(let quality) = format.defaultQuality else { return String?.none }
            return "\(format.name) \(quality)"
        }.joined(separator: ", ")
    }
}
