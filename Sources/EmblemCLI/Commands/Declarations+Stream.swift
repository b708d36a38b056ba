import Flags

extension Declarations {
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
        flags: [Options.columns.flag, Options.summary.flag, Options.name.flag] + what + outputForm
            + [
                Options.strict.flag, Options.maxFailures.flag,
            ] + patience + limits + network + [Options.remoteOnly.flag] + means
            + configuration,
        common: common(Command.CommonOption("summary", "write a record of the counts last")),
        examples: [
            Command.Example(
                "emblem stream --layout small < rows.ndjson > frames",
                "One small emblem per row:")
        ])
}
