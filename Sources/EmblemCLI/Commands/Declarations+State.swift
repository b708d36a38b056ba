import Codecs
import Flags

extension CommandDeclarations {
    /// The options for colours and pixel density of a drawing without a source.
    static let drawing = [
        Options.appearance.flag, Options.theme.flag, Options.scheme.flag, Options.scale.flag,
    ]

    package static let renderState = Command(
        "render state", summary: "draw a message block for an empty, failed or finished state",
        discussion: """
            An HTML page follows the colour scheme of its reader, unless --scheme is given; other \
            outputs are light by default. --appearance sets the colours of a built-in icon and of \
            its plate, not those of texts and buttons, which are tokens of the theme. A warning \
            names a text with a contrast below 4.5:1 on the colour of --background.
            """,
        flags: [
            Options.output(
                "File for the block: \(OutputFormat.extensions), svg or html. - is standard output."
            ).flag, Options.streamedFormat.flag,
            Options.State.kind.flag, Options.State.title.flag, Options.State.subtitle.flag,
            Options.State.icon.flag, Options.State.button.flag,
            Options.State.strings.flag, Options.spokenLabel.flag, Options.State.padding.flag,
            Options.State.width.flag, Options.State.background.flag,
        ] + drawing + form + [Options.itemTimeout.flag, Options.sandbox.flag] + configuration,
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render state --kind no-results -o empty.svg", "A state without results:"),
            Command.Example(
                "emblem render state --title Done --button Continue -o done.html",
                "A page with a button:"),
        ])

    package static let renderShimmer = Command(
        "render shimmer", summary: "draw an animated loading placeholder",
        flags: [
            Options.output(
                "File for the animation: webp or png; with --frame also jpg or avif. - is standard "
                    + "output."
            ).flag, Options.streamedFormat.flag,
            Options.layout.flag, Options.corner.flag, Options.border.flag,
            Options.Shimmer.frame.flag, Options.Shimmer.reducedMotion.flag,
        ] + drawing + form + configuration,
        prominent: ["-o FILE"],
        examples: [
            Command.Example("emblem render shimmer -o loading.webp", "An animation:"),
            Command.Example(
                "emblem render shimmer --layout large --scale 2 --frame 14 -o loading.png",
                "One frame at 2x:"),
        ])
}
