import Flags

extension Declarations {
    static let stream = Command(
        "stream", summary: "rows in on standard input, records and pictures out",
        discussion: """
            Reads NDJSON rows as in a list, each with a "key" of yours if you like; a row with \
            "bytes": N is followed by a line break and N bytes, the picture itself. For each row, as \
            it ends, standard output gets one line of JSON, the manifest's item with your key, and \
            right after it the bytes of its outputs, one after the other: "outputs" says how many \
            of each. Nothing else is written there. Memory stays bounded, and whoever reads slowly \
            slows the reading of rows down.
            """,
        flags: [Options.remoteOnly.flag] + what + outputForm + means + patience + limits + network,
        examples: [
            Command.Example(
                "emblem stream --layout small < rows.ndjson > frames",
                "One small emblem for each row:")
        ])
}
