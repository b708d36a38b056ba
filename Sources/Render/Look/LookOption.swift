import Artwork
import Codecs
import Flags
import Notation
import Raster
import Theming

/// An option that sets a part of a recipe.
package typealias LookOption = SettingOption<Recipe>

extension LookOption {
    /// Whether the option limits what is decoded, not how it looks.
    package var isLimit: Bool { flag.group == "Limits" }
}

extension Recipe: OptionSettings {
    package init() { self.init(variants: []) }

    private static var defaultQualities: String {
        OutputFormat.allCases.compactMap { format in
            guard case .lossy(let quality) = format.defaultQuality else { return String?.none }
            return "\(format.name) \(quality)"
        }.joined(separator: ", ")
    }

    /// Every option that sets part of a recipe, in the order of the help and of records. Together
    /// they set all of a recipe except its variants and codecs.
    package static let options: [LookOption] = [
        LookOption(
            "look", \.look, .choice, "LOOK", usual: .usual, group: "Look",
            record: { $0.look == .plain ? nil : .string($0.look.rawValue) },
            help: """
                Preset for one kind of image; other options override it ('emblem help looks').

                Avatars and SVG outputs are plain unless this option is given.
                """),
        LookOption(
            "mode", \.mode, .choice, "MODE", group: "Look", isColumn: true,
            help: """
                Show the whole image (fit), or crop it to fill the emblem.

                Avatars are filled unless this option is given.
                """),
        LookOption(
            "gravity", \.gravity, .choice, "PART", group: "Look",
            record: { $0.gravity == .auto ? nil : .string($0.gravity.rawValue) },
            help: """
                The part that stays visible when --mode fill crops an image.

                auto is the centre, and the upper third of a portrait that becomes an avatar. \
                attention is the part with the most edges and colour.
                """),
        LookOption(
            "focus", \.focus, Syntax<FocusPoint>.point.optional, "X,Y", group: "", isColumn: true,
            off: .some(nil),
            help: """
                The point that --mode fill keeps visible, from 0,0 (top left) to 1,1; overrides \
                --gravity.
                """),
        LookOption(
            "appearance", \.appearance, .choice, "NAME", group: "Colours", isColumn: true,
            help: "Colours of background, foreground and border."),
        LookOption(
            "padding", \.padding, .padding, "SPACE", described: "by --look", group: "Look",
            help: """
                Space around the image, in points or in percent of the height, or a keyword.

                safe is the smallest space at which the rounded corners cut nothing off the image. \
                At most 25% per side are possible.
                """),
        LookOption(
            "border", \.borderPoints, .decimal(0...1000), "PT", group: "Look",
            help: "Border thickness in points; the image stays inside the border."),
        LookOption(
            "width", \.width, .choice, "WIDTH", group: "Size",
            help: "Square, or the image's aspect ratio (auto, at most 4:1)."),
        LookOption(
            "corner", \.corner, .choice, "CORNER", group: "Look",
            help: "Shape of the rounded corners."),
        LookOption(
            "trim", \.trim, .choice, "MARGINS", described: "by --look", group: "Look",
            help: "Cut empty margins; auto also cuts margins of one colour."),
        LookOption(
            "background", \.background, .background, "RULE", described: "by --look",
            group: "Colours",
            help: """
                How the background colour is chosen.

                appearance: the background of the appearance. own: the image's own background, if \
                it has one. auto: the same; other images get the background of the appearance or \
                of category8, in the colours of either scheme, on which most of the image is visible. \
                A colour such as '#0A5FFF' is the background in every scheme.
                """),
        LookOption(
            "tint", \.tint, .choice, "WHEN", group: "Colours",
            help: "Recolour images with the foreground colour; auto: template images only."),
        LookOption(
            "upscale", \.upscale, .choice([("always", true), ("never", false)]), "WHEN",
            group: "Look",
            help: "Whether to enlarge images that are smaller than the emblem."),
        LookOption(
            "badge", \.badge, Syntax<BadgeMark>.badge.optional, "TEXT:APPEARANCE[@CORNER]",
            group: "Colours", isColumn: true, off: .some(nil),
            help: """
                Overlay a badge, as in '3:danger', or a dot, as in 'dot:danger'.

                Appearances: \(BadgeAppearance.allCases.map(\.rawValue).joined(separator: ", ")). \
                Corners: \(BadgeCorner.allCases.map(\.rawValue).joined(separator: ", ")); top-right \
                by default.
                """),
        LookOption(
            "placeholder", \.placeholder, .placeholder, "IMAGE", group: "Failures",
            isColumn: true,
            help: """
                Image to use when a source fails: icon:NAME, initials, initials:AB, FILE or none.

                initials takes the letters from the label. Avatars use initials, then icon:person, \
                unless this option is given.
                """),
        LookOption(
            "format", \.output, .output, "FORMAT", group: "Output",
            help: "Output format; same keeps the format of the source."),
        LookOption(
            "quality", short: "q", \.quality, Syntax<EncodeQuality>.quality.optional, "QUALITY",
            described: defaultQualities,
            group: "Output",
            record: { recipe in
                guard recipe.canStore(where: \.canBeLossy) else { return nil }
                return recipe.quality.map(Syntax<EncodeQuality>.quality.json)
            },
            help: "Quality from 1 to 100, or lossless."),
        LookOption(
            "palette", \.palette, .toggle, group: "Output",
            record: { recipe in .bool(recipe.palette && recipe.canStore { $0 == .png }) },
            help: "Write PNG with a palette of at most 256 colours."),
        LookOption(
            "effort", \.effort, .choice, "EFFORT", group: "Output",
            record: { recipe in
                guard recipe.effort != .standard, recipe.canStore(where: \.hasEffort) else {
                    return nil
                }
                return .string(recipe.effort.rawValue)
            },
            help: """
                Time spent on smaller PNG and lossless WebP files; their pixels stay the same.

                small makes PNG 7 to 11% smaller in 20 to 90 times the encoding time, and lossless \
                WebP 3% smaller in four times. fast makes both 2 to 4% larger in 50 to 80% of the \
                time. Animations and lossy WebP up to 2048 pixels have one effort.
                """),
        LookOption(
            "max-pixels", \.limits, .limits, "N", group: "Limits",
            help: "Largest image, in pixels; half of it for a progressive JPEG."),
    ]
}
