import Flags
import Notation

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
            Flag(
                "initials", .text, "TEXT", group: "What to make", isInEnvironment: false,
                isInConfiguration: false,
                help: "The first two characters of TEXT instead of a picture, or behind one."),
            Flag(
                "label", .text, "TEXT", group: "What to make", isInEnvironment: false,
                isInConfiguration: false, help: "Words from which initials are taken."),
            Flag(
                "icon", .toggle, group: "What to make", isInEnvironment: false,
                isInConfiguration: false, help: "The profile icon."),
            Flag(
                "layout", .choice(Vocabulary.avatarLayouts), "LAYOUT", fallback: .value("default"),
                group: "What to make", help: "Layout of the avatar: sides of 24, 40, 56 and 80."),
        ] + one + look.filter { !["width", "corner"].contains($0.name) } + oneOutput + form
            + patience + network + [isolate, codecs],
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
            Flag(
                "text", .text, "TEXT", group: "What to make", isInEnvironment: false,
                isInConfiguration: false, help: "What it says."),
            Flag(
                "appearance", .choice(Vocabulary.badges), "A", fallback: .value("neutral"),
                group: "What to make", isInEnvironment: false, isInConfiguration: false,
                help: "What it means, which decides its colours."),
        ] + one + look.filter { $0.name == "theme" } + oneOutput + form,
        prominent: ["--text TEXT", "-o FILE"],
        examples: [
            Command.Example(
                "emblem render badge --text New --appearance info --scale 2 -o new.png",
                "A badge at twice the size:")
        ])

    /// What one picture is made at.
    private static let one: [Flag] = [
        Flag(
            "scale", .choice(Vocabulary.scales), "N", fallback: .value("1"),
            group: "What to make", help: "Pixels to a point."),
        Flag(
            "scheme", .choice(["light", "dark"]), "SCHEME", fallback: .value("light"),
            group: "What to make", help: "Colours for a light or a dark screen."),
    ]

    private static let oneOutput: [Flag] = [
        Flag(
            "output", short: "o", .file, "FILE", group: "Form of the outputs",
            isInEnvironment: false, isInConfiguration: false,
            help: "The picture; its extension decides the format. - is PNG on standard output.")
    ]
}
