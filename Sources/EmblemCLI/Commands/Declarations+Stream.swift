import Flags

extension Declarations {
    static let stream = Command(
        "stream", summary: "rows in on standard input, records and pictures out",
        discussion: """
            Reads NDJSON rows as in a list, each with a "key" of yours if you like; a row with \
            "bytes": N is followed by a line break and N bytes, the picture itself. For each row, as \
            it ends, standard output gets one line of JSON, the manifest's item with your key, and \
            right after it the bytes of its outputs, one after the other: "outputs" says how many \
            of each. Nothing else is written there. Memory stays bounded, and a slow reader slows \
            the reading of rows down. The record of a row that cannot be used has its first 100 \
            characters as "beginning"; a row above 4 MiB is one of those. Input that ends inside a \
            row, or in which no row follows a picture, ends with 65 after the rows before it.
            """,
        flags: [
            Options.columns.flag, Options.remoteOnly.flag, Options.strict.flag,
            Options.maxFailures.flag, Options.summary.flag,
        ] + what + outputForm + means + patience + limits + network
            + configuration,
        examples: [
            Command.Example(
                "emblem stream --layout small < rows.ndjson > frames",
                "One small emblem for each row:")
        ])
}
