import Artwork
import Flags
import Notation
import Render

extension Declarations {
    private static let group = "What to make"

    /// An option for one picture, which neither environment nor configuration file should set.
    static func own(
        _ name: String, _ kind: ValueKind, _ placeholder: String, isRepeatable: Bool = false,
        fallback: Flag.Fallback = .nothing, _ help: String
    ) -> Flag {
        Flag(
            name, kind, placeholder, fallback: fallback, group: group, isRepeatable: isRepeatable,
            isInEnvironment: false, isInConfiguration: false, help: help)
    }

    /// What every drawing that is made of no source has in common.
    static let drawing: [Flag] = [
        appearance, theme,
        Flag(
            "scheme", .choice(["light", "dark"]), "SCHEME", fallback: .value("light"),
            group: group, help: "Colours for a light or a dark screen."),
        Flag(
            "scale", .choice(Vocabulary.scales), "N", fallback: .value("1"), group: group,
            help: "Pixels to a point."),
    ]

    static func output(_ help: String) -> Flag {
        Flag(
            "output", short: "o", .file, "FILE", group: "Form of the outputs",
            isInEnvironment: false, isInConfiguration: false, help: help)
    }

    package static let renderState = Command(
        "render state", summary: "make a block for an empty, failed or finished state",
        flags: [
            own(
                "kind", .choice(StateKind.allCases.map(\.rawValue)), "KIND",
                fallback: .value(StateKind.generic.rawValue), "A ready-made state."),
            own("title", .text, "TEXT", "What the block says first."),
            own("subtitle", .text, "TEXT", "What it says below."),
            own("icon", .text, "ICON", "A built-in icon, a picture file, or none."),
            own(
                "animation", .file, "FILE",
                "An animated picture instead of the icon; pages play it, pictures show its start."),
            own("button", .text, "TEXT", isRepeatable: true, "A button; up to three."),
            own(
                "button-spacers", Vocabulary.points, "PT",
                "Buttons as wide as the block, with this much room at either side."),
            own(
                "strings", .file, "FILE",
                "Words of the ready-made states: JSON, or lines of \"key\" = \"words\";."),
            own(
                "direction", .choice(["auto", "ltr", "rtl"]), "WAY", fallback: .value("auto"),
                "Which way the words run."),
            own("graphic-size", Vocabulary.points, "PT", "Side of icon or animation."),
            own("padding", Vocabulary.points, "PT", "Room around everything."),
            own("width", Vocabulary.points, "PT", "Width of the block."),
            own("title-width", Vocabulary.points, "PT", "Greatest width of the title."),
            own("subtitle-width", Vocabulary.points, "PT", "Greatest width of the subtitle."),
            Flag(
                "text-size", .choice(TextSize.allCases.map(\.rawValue)), "SIZE",
                fallback: .value("large"), group: group, help: "How large a reader wants text."),
        ] + drawing + [
            output(
                "The block; its extension decides the format: png, webp, jpg, avif, svg or html. "
                    + "- is PNG on standard output.")
        ] + form + graphicPatience + [isolate],
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render state --kind no-results -o empty.svg", "Nothing was found:"),
            Command.Example(
                "emblem render state --title Done --button Continue -o done.html",
                "A page for success:"),
        ])

    package static let renderShimmer = Command(
        "render shimmer", summary: "make what stands for a picture that is being loaded",
        flags: [
            Flag(
                "layout", .choice(Vocabulary.layouts), "LAYOUT", fallback: .value("medium"),
                group: group, help: "Layout of the emblem."),
            flag(\.corner), flag(\.borderPoints),
            own(
                "frame", .whole(0...(Shimmer.frameCount - 1)), "N",
                "One frame instead of the animation, from 0 to \(Shimmer.frameCount - 1)."),
            Flag(
                "reduced-motion", .toggle, group: group, isInEnvironment: false,
                isInConfiguration: false, help: "The shimmer at rest, for those who want no motion."
            ),
        ] + drawing + [
            output(
                "The shimmer: an animation if it ends in webp or png, with --frame also jpg or "
                    + "avif. - is PNG on standard output.")
        ] + form,
        prominent: ["-o FILE"],
        examples: [
            Command.Example("emblem render shimmer -o loading.webp", "An animation:"),
            Command.Example(
                "emblem render shimmer --layout large --scale 2 --frame 14 -o loading.png",
                "Its middle frame:"),
        ])

    package static let renderCatalog = Command(
        "render catalog", summary: "make a page and sheets of every component in every look",
        flags: [
            Flag(
                "theme", .file, "FILE", group: group,
                help: "Design tokens laid over the built-in ones."),
            own(
                "scheme", .choice(["light", "dark", "both"]), "SCHEME", fallback: .value("both"),
                "The sheets to make; the page shows both."),
            own(
                "scale", .choice(Vocabulary.scales), "N", fallback: .value("2"),
                "Pixels to a point, on the sheets."),
            Flag(
                "output", short: "o", .folder, "DIR", group: "Form of the outputs",
                isInEnvironment: false, isInConfiguration: false,
                help: "The folder to write index.html and the sheets into."),
        ],
        prominent: ["-o DIR"],
        examples: [
            Command.Example("emblem render catalog -o catalog", "The built-in theme:"),
            Command.Example(
                "emblem render catalog --theme brand.json -o catalog", "A theme of one's own:"),
        ])
}
