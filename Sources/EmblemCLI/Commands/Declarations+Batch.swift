import Flags
import Notation
import Render

extension Declarations {
    package static let batch = Command(
        "batch", summary: "turn a list of pictures into emblems",
        discussion: """
            Pictures that cannot be loaded get a placeholder, so that the set is always complete; \
            OUT/manifest.ndjson tells which, and OUT/run.json how long everything took.
            """,
        operands: Command.Operands(
            "[INPUT…]", count: 0...Int.max,
            help:
                "Pictures, folders of pictures, URLs, data: URIs, or - for one picture on standard input."
        ),
        flags: input + what + output + run + patience + limits + network + telling,
        prominent: ["[--list FILE|-]", "-o OUT"],
        examples: [
            Command.Example(
                "emblem batch logos/ -o out", "Every picture of a folder, in all four layouts:"),
            Command.Example(
                "emblem batch --list merchants.csv -o out --layout small,large --scale 1,2,3",
                "Two layouts at three scales, from a list:"),
            Command.Example(
                "emblem batch --component avatar --list people.csv -o out --scale 2",
                "Avatars, with initials from the column 'label' for pictures that fail:"),
            Command.Example(
                "emblem batch logos/ -o out --format webp --quality lossless --appearance info",
                "Lossless WebP on the colours of 'info':"),
        ])

    static let remoteOnly = Flag(
        "remote-only", .toggle, group: "Input and output", isNegatable: true,
        help: "Take no paths from the list, for lists from third parties.")

    private static let input: [Flag] = [
        Flag(
            "output", short: "o", .folder, "OUT", group: "Input and output",
            help: "Folder for the emblems and their manifest."),
        Flag(
            "list", .file, "FILE", group: "Input and output", isRepeatable: true,
            help:
                "List of sources: txt, csv, tsv, json or ndjson, also gzipped; - for standard input."
        ),
        Flag(
            "list-format", .choice(["txt", "csv", "tsv", "json", "ndjson"]), "FORMAT",
            fallback: .described("by the name of the list"), group: "Input and output",
            help: "Format of the list."),
        remoteOnly,
        Flag(
            "limit", .whole(1...Int.max), "N", group: "Input and output",
            help: "Only the first N items."),
        Flag(
            "shard", .shard, "I/N", group: "Input and output",
            help: "Only the I-th of N parts of the list; names are planned over all of it."),
    ]

    static let what: [Flag] =
        [
            Flag(
                "component", .choice(Vocabulary.components), "WHAT", fallback: .value("emblem"),
                group: "What to make",
                help: "Emblems, or avatars: circles that pictures fill, with initials and then an "
                    + "icon for pictures that fail."),
            Flag(
                "layout", .choices(Vocabulary.allLayouts, all: true), "LIST",
                fallback: .value("all"), group: "What to make",
                help:
                    "Layouts to make of each picture: small, medium, large and xLarge of emblems, "
                    + "small, default, medium and large of avatars."),
            Flag(
                "scale", .scales(Vocabulary.scales), "LIST", fallback: .value("1"),
                group: "What to make", help: "Pixels to a point."),
            Flag(
                "scheme", .choice(["light", "dark", "both"]), "SCHEME", fallback: .value("light"),
                group: "What to make", help: "Colours for a light or a dark screen."),
        ] + look

    private static let output: [Flag] =
        outputForm + [
            Flag(
                "depfile", .file, "FILE", group: "Form of the outputs",
                help: "Write the dependencies of the outputs in the language of make.")
        ]

    static let outputForm: [Flag] =
        [
            flag(\.output),
            Flag(
                "name", .text, "TEMPLATE", fallback: .described("{layout}/{id}{@scale}.{ext}"),
                group: "Form of the outputs",
                help: "Path of each emblem under OUT, of {id} {layout} {scale} {@scale} {height} "
                    + "{ext} {hash} {scheme}."),
        ] + form

    /// How much is done at once, and where.
    static let means: [Flag] = [
        Flag(
            "jobs", .whole(1...1024), "N", fallback: .described("the cores there are"),
            group: "How to run", help: "Pictures rendered at once."),
        isolate, codecs,
        Flag(
            "memory", .bytes((16 << 20)...Int.max), "BYTES", fallback: .value("512M"),
            group: "How to run",
            help: "Memory for pictures in work, on top of 160M for everything else."),
    ]

    private static let run: [Flag] =
        means + [
            Flag(
                "resume", .toggle, group: "How to run", isInConfiguration: false,
                help: "Go on where a run into OUT was interrupted; a plain run if none was."),
            Flag(
                "force", .toggle, group: "How to run", isInConfiguration: false,
                help: "Make everything anew, also what did not change since the last run."),
            Flag(
                "fsync", .toggle, group: "How to run", isNegatable: true,
                help: "Wait for the disk after each output."),
            Flag(
                "strict", .toggle, group: "How to run", isNegatable: true,
                help: "Exit with 1 if a placeholder was used."),
            Flag(
                "max-failures", .tolerance, "N|P%", group: "How to run",
                help: "Exit with 1 if more items than this end without their picture."),
            Flag(
                "dry-run", .toggle, group: "How to run", isInConfiguration: false,
                help: "Check everything and show the plan, but write nothing."),
        ]

    static let limits: [Flag] =
        [
            Flag(
                "max-bytes", .bytes(1...Int.max), "BYTES", fallback: .value("20M"), group: "Limits",
                help: "Largest source.")
        ] + flags(.limits)

    private static let telling: [Flag] = [
        Flag(
            "progress", .choice(["auto", "plain", "json", "none"]), "HOW", fallback: .value("auto"),
            group: "Messages", help: "How the run is told on standard error while it goes on."),
        Flag(
            "report", .toggle, group: "Messages", isNegatable: true,
            help: "Write OUT/report.html: numbers, errors, the slowest, the pictures."),
        Flag(
            "metrics", .file, "FILE", group: "Messages",
            help: "Write the run as OpenMetrics text."),
        Flag(
            "trace", .file, "FILE", group: "Messages",
            help: "Write the run for Chrome's trace viewer."),
        Flag(
            "quiet", short: "q", .toggle, group: "Messages", help: "Only errors."),
        Flag(
            "verbose", short: "v", .toggle, group: "Messages", help: "A line for each failure."),
    ]
}
