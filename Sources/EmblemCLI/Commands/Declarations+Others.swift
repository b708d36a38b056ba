import Engine
import Flags
import Notation

extension Declarations {
    package static let renderEmblem = Command(
        "render emblem", summary: "make one emblem",
        operands: Command.Operands(
            "[SOURCE]", count: 0...1,
            help: "A picture, a URL, a data: URI, or - for standard input."),
        flags: [
            Flag(
                "icon", .text, "NAME", group: "What to make", isInEnvironment: false,
                isInConfiguration: false, help: "A built-in icon instead of a picture."),
            Flag(
                "label", .text, "TEXT", group: "What to make", isInEnvironment: false,
                isInConfiguration: false,
                help: "Words whose initials stand in for a picture that fails; "
                    + "in an SVG also its title."),
            Flag(
                "hint", .text, "TEXT", group: "What to make", isInEnvironment: false,
                isInConfiguration: false, help: "More about the picture, for an SVG."),
            Flag(
                "layout", .choice(Vocabulary.layouts), "LAYOUT", fallback: .value("medium"),
                group: "What to make", help: "Layout of the emblem."),
            Flag(
                "scale", .choice(Vocabulary.scales), "N", fallback: .value("1"),
                group: "What to make", help: "Pixels to a point."),
            Flag(
                "scheme", .choice(["light", "dark"]), "SCHEME", fallback: .value("light"),
                group: "What to make", help: "Colours for a light or a dark screen."),
        ] + look + [
            Flag(
                "output", short: "o", .file, "FILE", group: "Form of the outputs",
                isInEnvironment: false, isInConfiguration: false,
                help: "The emblem; its extension decides the format: png, webp, jpg, avif or svg. "
                    + "- is PNG on standard output.")
        ] + form + patience + network + [isolate, codecs],
        prominent: ["-o FILE"],
        examples: [
            Command.Example(
                "emblem render emblem acme.svg -o acme.png", "One emblem of a picture:"),
            Command.Example(
                "emblem render emblem --icon person --layout xLarge --scale 2 -o person.webp",
                "A built-in icon, at twice the size:"),
        ])

    package static let inspect = Command(
        "inspect", summary: "tell what pictures are and what a batch would do with them",
        operands: Command.Operands("FILE…", count: 1...Int.max, help: "Pictures."),
        flags: [isolate, codecs, json],
        examples: [Command.Example("emblem inspect logo.png --json", "One picture, as JSON:")])

    package static let themeCheck = Command(
        "theme check", summary: "resolve every token of a theme and measure its contrasts",
        operands: Command.Operands(
            "[FILE]", count: 0...1, help: "Design tokens; without a file, the built-in theme."),
        flags: [json],
        examples: [Command.Example("emblem theme check brand.json", "Check a theme:")])

    package static let themeShow = Command(
        "theme show", summary: "print the tokens of a theme",
        operands: Command.Operands(
            "[FILE]", count: 0...1, help: "Design tokens; without a file, the built-in theme."),
        flags: [json],
        examples: [Command.Example("emblem theme show", "The built-in theme:")])

    package static let verify = Command(
        "verify", summary: "hash the outputs again and compare them with their manifest",
        operands: Command.Operands("OUT", count: 1...1, help: "The folder of a run."),
        flags: [json],
        examples: [Command.Example("emblem verify out", "Check a folder; 2 if something differs:")])

    package static let failures = Command(
        "failures", summary: "list the items of a run that did not become what they should",
        operands: Command.Operands("OUT", count: 1...1, help: "The folder of a run."),
        flags: [
            Flag(
                "class", .choice(ErrorClass.allCases.map(\.rawValue)), "CLASS", group: "Output",
                isInEnvironment: false,
                isInConfiguration: false, help: "Only items that failed in this way."),
            Flag(
                "host", .text, "HOST", group: "Output", isInEnvironment: false,
                isInConfiguration: false, help: "Only items of this host."),
            Flag(
                "csv", .toggle, group: "Output", isInEnvironment: false, isInConfiguration: false,
                help: "Write a list that batch takes; as its paths stay as they were listed, "
                    + "keep it in the folder of the first list."),
            json,
        ],
        examples: [
            Command.Example(
                "emblem failures out --csv > again.csv", "The items to feed again, as a list:")
        ])

    package static let formats = Command(
        "formats", summary: "list the codecs built in, their versions and limits", flags: [json],
        examples: [Command.Example("emblem formats", "What this tool can read and write:")])

    package static let completions = Command(
        "completions", summary: "print a script that completes commands and options",
        operands: Command.Operands(
            "SHELL", count: 1...1, words: ["bash", "zsh", "fish"], help: "bash, zsh or fish."),
        examples: [
            Command.Example("eval \"$(emblem completions bash)\"", "For this session of bash:"),
            Command.Example("emblem completions fish | source", "For this session of fish:"),
        ],
        readsSettings: false)

    package static let manual = Command(
        "man", summary: "print the manual page",
        flags: [
            Flag(
                "markdown", .toggle, group: "Output", isInEnvironment: false,
                isInConfiguration: false,
                help: "Print the options of all commands as Markdown tables.")
        ],
        examples: [Command.Example("emblem man | man -l -", "Read it:")], readsSettings: false)
}
