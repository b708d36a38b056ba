import Flags
import Render

extension CommandDeclarations {
    package static let batch = Command(
        "batch", summary: "turn images, folders or a list of URLs into emblems",
        discussion: """
            An image that cannot be loaded gets a placeholder, so that the set is always complete. \
            OUT/manifest.ndjson has a record of each item, and OUT/run.json the figures of the run.
            """,
        operands: Command.Operands(
            "[INPUT…]", count: 0...Int.max,
            help:
                "Image files, folders of images, URLs, data: URIs, or - for an image on standard input."
        ),
        flags: input + output + sizesAndLook + outputForm + run + timeouts
            + limits + network
            + [Options.remoteOnly.flag] + resources + reporting,
        prominent: ["[--list FILE|-]", "-o OUT"],
        examples: [
            Command.Example(
                "emblem batch logos/ -o out --look logos",
                "All logos of a folder, in all layouts:"),
            Command.Example(
                "emblem batch --list merchants.csv -o out --layout small,large --scale 1,2,3",
                "A list of URLs, in two layouts at three scales:"),
            Command.Example(
                "emblem batch --component avatar --list people.csv -o out --scale 2",
                "Avatars; images that fail get initials from the column 'label':"),
            Command.Example(
                "emblem batch logos/ -o out --format webp --quality lossless --appearance info",
                "Lossless WebP in the colours of 'info':"),
            Command.Example(
                "emblem batch --list brands.csv -o out --target xcassets=App,android=app/src/main/res",
                "An asset catalog for iOS and resources for Android, in one run:"),
        ])

    private static let input =
        [
            Options.list.flag, Options.columns.flag, Options.exclude.flag, Options.darkSuffix.flag,
            Options.limit.flag,
        ]

    /// The options for the component, its sizes and its look.
    static let sizesAndLook =
        [
            Options.component.flag, Options.layouts.flag, Options.heights.flag, Options.scales.flag,
        ] + look + [Options.schemes.flag]

    private static let output = [
        Options.folder.flag, Options.targets.flag, Options.name.flag,
    ]

    /// The options for the formats and their encoding.
    static let outputForm = [Options.format.flag] + form

    /// The options for cores, memory and decoders.
    static let resources = [Options.jobs.flag, Options.sandbox.flag, Options.memory.flag]

    private static let run = [
        Options.dryRun.flag, Options.onlyFailures.flag,
        Options.force.flag, Options.prune.flag, Options.strict.flag,
        Options.maxFailures.flag, Options.failOn.flag,
        Options.minItems.flag,
    ]

    static let limits = [Options.maxBytes.flag] + flags(.limits)

    /// The options for progress and reports.
    private static let reporting =
        [
            Options.progress.flag, Options.quiet.flag, Options.verbose.flag, Options.report.flag,
            Options.sheet.flag, Options.depfile.flag,
        ] + configuration

    static let stream = Command(
        "stream", summary: "read rows from standard input, write records and images",
        discussion: """
            Reads NDJSON rows with the columns of a list. For each row it writes one line of JSON, \
            followed by the bytes of its outputs. Memory is bounded: a slow reader pauses the reading \
            of rows.

            A row may have a "key", which its record repeats. A row with "bytes": N is followed by a \
            line break and N bytes, the image itself.

            Records are written in the order in which rows finish. A record is the item of the \
            manifest; its "outputs" give the number of bytes of each output. Nothing else is written \
            to standard output.

            The record of an invalid row has the first 100 characters of the row as "beginning"; rows \
            above 4 MiB are invalid. If the input ends inside a row, or if no row follows an image, \
            the exit code is 65 after all rows before it.
            """,
        flags: [Options.columns.flag, Options.summary.flag, Options.name.flag] + sizesAndLook
            + outputForm
            + [
                Options.strict.flag, Options.maxFailures.flag,
            ] + timeouts + limits + network + [Options.remoteOnly.flag] + resources
            + configuration,
        examples: [
            Command.Example(
                "emblem stream --layout small < rows.ndjson > frames",
                "One small emblem per row:")
        ])
}
