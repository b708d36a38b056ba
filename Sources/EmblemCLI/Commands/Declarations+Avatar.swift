import Flags
import Render

extension CommandDeclarations {
    package static let renderAvatar = Command(
        "render avatar", summary: "draw one avatar",
        discussion: """
            An image that cannot be loaded is replaced by initials, or by the profile icon, with a \
            warning and exit code 1. With --initials or --label this is also true of a file that \
            does not exist; without them, nothing is written and the exit code is 66.
            """,
        operands: Command.Operands(
            "[SOURCE]", count: 0...1,
            help: "Image file, URL, data: URI, or - for standard input."),
        flags: [
            Options.output.flag, Options.streamedFormat.flag, Options.Avatar.initials.flag,
            Options.Avatar.label.flag, Options.Avatar.icon.flag,
            Options.Avatar.layout.flag, Options.height.flag, Options.scale.flag,
            Options.scheme.flag,
        ] + circleLook + form + timeouts
            + network + [Options.sandbox.flag]
            + configuration,
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render avatar jane.jpg --layout large -o jane.png", "An image in a circle:"
            ),
            Command.Example(
                "emblem render avatar --label 'Jane Doe' --scale 3 -o jd.png",
                "Initials of a name:"),
        ])

    package static let renderBadge = Command(
        "render badge", summary: "draw one badge with a short text",
        flags: [
            Options.output.flag, Options.streamedFormat.flag, Options.Badge.text.flag,
            Options.Badge.appearance.flag, Options.spokenLabel.flag, Options.scale.flag,
            Options.scheme.flag,
            Options.theme.flag,
        ] + form + configuration,
        prominent: ["--text TEXT", "-o FILE"],
        examples: [
            Command.Example(
                "emblem render badge --text New --appearance info --scale 2 -o new.png",
                "A badge at 2x:")
        ])

    /// The options of the look without those that have no effect on a circle.
    private static let circleLook = look.filter { flag in
        ![LookOption.of(\.width), .of(\.corner)].contains { $0.name == flag.name }
    }
}
