import Bench
import Flags

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
        flags: measuring + results + batch.flags.filter { !keptFromBench.contains($0) },
        prominent: ["[--preset P]", "[--compare BASE.json]"],
        examples: [
            Command.Example("emblem bench", "The logos that the tool draws itself, by jobs:"),
            Command.Example(
                "emblem bench logos/ --preset layouts --export-json base.json --plot base.svg",
                "Pictures of your own in four layouts, kept as a record and a picture:"),
            Command.Example(
                "emblem bench logos/ --preset layouts --compare base.json --tolerance time=15%,cpu=5%",
                "The same later; exit code 2 if it became worse:"),
        ])

    private static let presets = Preset.all.map { "\($0.name) (\($0.summary))" }
        .joined(separator: "; ")

    /// Options of a batch that have no meaning when it is run again and again.
    private static let keptFromBench = [
        Options.folder.flag, Options.jobs.flag, Options.resume.flag, Options.force.flag,
        Options.strict.flag, Options.maxFailures.flag, Options.dryRun.flag, Options.planJSON.flag,
        Options.progress.flag,
        Options.metrics.flag, Options.trace.flag, Options.quiet.flag, Options.verbose.flag,
        Options.depfile.flag, Options.report.flag, Options.watch.flag, Options.prune.flag,
        Options.pruneMax.flag, Options.minItems.flag, Options.wait.flag,
        Options.shareTarget.flag,
    ]

    private static let measuring = [
        Options.Bench.preset.flag, Options.Bench.jobs.flag, Options.Bench.rounds.flag,
        Options.Bench.warmup.flag, Options.Bench.scratch.flag,
    ]

    private static let results = [
        Options.Bench.compare.flag, Options.Bench.tolerance.flag, Options.Bench.compareAny.flag,
        Options.Bench.exportJSON.flag, Options.Bench.exportMarkdown.flag, Options.Bench.plot.flag,
        Options.Bench.json.flag, Options.Bench.quiet.flag,
    ]
}
