import Bench
import Flags
import Notation

extension Declarations {
    package static let bench = Command(
        "bench", summary: "measure how fast a batch goes on this machine",
        discussion: """
            Runs 'emblem batch' several times into a folder that is removed, once for each number of \
            jobs in every round, and tells medians, spread, processor time and the latency of each \
            stage. Without an INPUT it draws pictures of its own. Presets: \(presets). Every other \
            option is handed to the batch.
            """,
        operands: Command.Operands(
            "[INPUT…]", count: 0...Int.max,
            help:
                "Pictures, folders of pictures, or URLs to measure with, instead of those of the preset."
        ),
        flags: measuring + results + batch.flags.filter { !keptFromBench.contains($0.name) },
        prominent: ["[--preset P]", "[--compare BASE.json]"],
        examples: [
            Command.Example("emblem bench", "The logos that the tool draws itself, by jobs:"),
            Command.Example(
                "emblem bench logos/ --preset layouts --export-json base.json --plot base.svg",
                "Pictures of your own in four layouts, kept as a record and a picture:"),
            Command.Example(
                "emblem bench logos/ --preset layouts --compare base.json --tolerance 15%",
                "The same later; exit code 2 if it became slower:"),
        ])

    private static let presets = Preset.all.map { "\($0.name) (\($0.summary))" }
        .joined(separator: "; ")

    /// Options of a batch that have no meaning when it is run again and again.
    private static let keptFromBench: Set = [
        "output", "jobs", "resume", "force", "strict", "max-failures", "dry-run", "progress",
        "metrics", "trace", "quiet", "verbose", "depfile", "report",
    ]

    private static let measuring: [Flag] = [
        own(
            "preset", .choice(Preset.all.map(\.name)), "P",
            fallback: .described("logos, or nothing where there is an INPUT"),
            help: "What is asked of the batch, and which pictures are drawn for it."),
        own(
            "jobs", .wholes(1...1024), "LIST", fallback: .described("1, 2, 4 … up to the cores"),
            help: "Numbers of pictures rendered at once, each measured."),
        own(
            "rounds", .whole(1...1000), "N", fallback: .value("5"),
            help: "Measured runs of each case."),
        own(
            "warmup", .whole(0...100), "N", fallback: .value("1"),
            help: "Runs of each case that are thrown away first."),
        own(
            "scratch", .folder, "DIR", fallback: .described("$TMPDIR, else /tmp"),
            help: "Where pictures and outputs stand while it lasts."),
    ]

    private static let results: [Flag] = [
        own(
            "compare", .file, "BASE.json", group: "Results",
            help: "Exit with 2 if something is worse than in this record, which --export-json or "
                + "hyperfine wrote."),
        own(
            "tolerance", .percent(0...10_000), "P%", fallback: .value("10%"), group: "Results",
            help: "How much worse is not yet a regression."),
        own(
            "export-json", .file, "FILE", group: "Results",
            help: "Write everything that was measured, in the form that hyperfine has."),
        own(
            "plot", .file, "FILE.svg", group: "Results",
            help: "Draw throughput by jobs and the latency of items."),
        own(
            "json", .toggle, "", group: "Results",
            help: "Write the record to standard output instead of tables."),
        own(
            "quiet", .toggle, "", group: "Results", help: "Do not tell which round is under way."),
    ]

    private static func own(
        _ name: String, _ kind: ValueKind, _ placeholder: String,
        fallback: Flag.Fallback = .nothing, group: String = "How to measure", help: String
    ) -> Flag {
        Flag(
            name, kind, placeholder, fallback: fallback, group: group, isInEnvironment: false,
            isInConfiguration: false, help: help)
    }
}
