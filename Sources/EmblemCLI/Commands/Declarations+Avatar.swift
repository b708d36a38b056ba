import Flags
import Render

extension Declarations {
    package static let renderAvatar = Command(
        "render avatar", summary: "make one avatar",
        discussion: """
            A picture that cannot be loaded becomes its initials, and where there are none the \
            profile icon.
            """,
        operands: Command.Operands(
            "[SOURCE]", count: 0...1,
            help: "A picture, a URL, a data: URI, or - for standard input."),
        flags: [
            Options.Avatar.initials.flag, Options.Avatar.label.flag, Options.Avatar.icon.flag,
            Options.Avatar.layout.flag, Options.scale.flag, Options.scheme.flag,
        ] + circleLook + [Options.output.flag, Options.streamedFormat.flag] + form + patience
            + network + decoding
            + configuration,
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render avatar jane.jpg --layout large -o jane.png", "A picture in a circle:"
            ),
            Command.Example(
                "emblem render avatar --label 'Jane Doe' --scale 3 -o jd.png",
                "Initials, taken from the words:"),
        ])

    package static let renderBadge = Command(
        "render badge", summary: "make one badge: a pill of text",
        flags: [
            Options.Badge.text.flag, Options.Badge.appearance.flag, Options.scale.flag,
            Options.scheme.flag, Options.theme.flag, Options.output.flag,
            Options.streamedFormat.flag,
        ] + form + configuration,
        prominent: ["--text TEXT", "-o FILE"],
        examples: [
            Command.Example(
                "emblem render badge --text New --appearance info --scale 2 -o new.png",
                "A badge at twice the size:")
        ])

    /// The look of what is a circle anyway.
    private static let circleLook = look.filter { flag in
        ![LookOption.of(\.width), .of(\.corner)].contains { $0.name == flag.name }
    }
}
