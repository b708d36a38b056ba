import Codecs
import Flags

extension Declarations {
    /// What every drawing that is made of no source has in common.
    static let drawing = [
        Options.appearance.flag, Options.theme.flag, Options.scheme.flag, Options.scale.flag,
    ]

    package static let renderState = Command(
        "render state", summary: "make a block for an empty, failed or finished state",
        flags: [
            Options.State.kind.flag, Options.State.title.flag, Options.State.subtitle.flag,
            Options.State.icon.flag, Options.State.animation.flag, Options.State.button.flag,
            Options.State.buttonSpacers.flag, Options.State.strings.flag,
            Options.State.direction.flag, Options.State.graphicSize.flag,
            Options.State.padding.flag, Options.State.width.flag, Options.State.titleWidth.flag,
            Options.State.subtitleWidth.flag, Options.State.textSize.flag,
        ] + drawing + [
            Options.output(
                "The block; its extension decides the format: \(OutputFormat.extensions), svg or html. "
                    + "- is standard output."
            ).flag, Options.streamedFormat.flag,
        ] + form + graphicPatience + [Options.sandbox.flag] + configuration,
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
            Options.layout.flag, Options.corner.flag, Options.border.flag,
            Options.Shimmer.frame.flag, Options.Shimmer.reducedMotion.flag,
        ] + drawing + [
            Options.output(
                "The shimmer: an animation if it ends in webp or png, with --frame also jpg or "
                    + "avif. - is standard output."
            ).flag, Options.streamedFormat.flag,
        ] + form + configuration,
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
            Options.theme.flag, Options.Catalog.schemes.flag, Options.Catalog.scale.flag,
            Options.Catalog.folder.flag,
        ] + configuration,
        prominent: ["-o DIR"],
        examples: [
            Command.Example("emblem render catalog -o catalog", "The built-in theme:"),
            Command.Example(
                "emblem render catalog --theme brand.json -o catalog", "A theme of one's own:"),
        ])
}
