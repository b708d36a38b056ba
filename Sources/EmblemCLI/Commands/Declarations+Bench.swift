import Bench
import Flags

extension CommandDeclarations {
    package static let bench = Command(
        "bench", summary: "measure the speed of batches on this machine",
        discussion: """
            Runs 'emblem batch' several times into a temporary folder below TMPDIR. It prints medians, \
            spread, CPU time and the latency of each stage. Without an INPUT it generates images. Most \
            options of 'emblem batch' can be given as well.

            Presets: \(presets).
            """,
        operands: Command.Operands(
            "[INPUT…]", count: 0...Int.max,
            help:
                "Image files, folders of images, or URLs to measure instead of a preset."
        ),
        flags: measuring + results + batch.flags.filter { !excludedFromBench.contains($0) },
        prominent: ["[--preset NAME]", "[--compare FILE]"],
        examples: [
            Command.Example("emblem bench", "Generated logos:"),
            Command.Example(
                "emblem bench logos/ --preset layouts --export-json base.json",
                "Your images in four layouts, with a record:"),
            Command.Example(
                "emblem bench logos/ --preset layouts --compare base.json --tolerance 15%",
                "Compare with the record; exit with 2 if a figure is worse:"),
        ],
        base: batch.name)

    private static let presets = Preset.all.map { "\($0.name) (\($0.summary))" }
        .joined(separator: "; ")

    /// Options of a batch that have no meaning in repeated runs.
    private static let excludedFromBench = [
        Options.folder.flag, Options.force.flag,
        Options.strict.flag, Options.maxFailures.flag, Options.dryRun.flag,
        Options.progress.flag,
        Options.verbose.flag,
        Options.depfile.flag, Options.report.flag, Options.prune.flag,
        Options.minItems.flag,
    ]

    private static let measuring = [
        Options.Bench.preset.flag, Options.Bench.rounds.flag,
    ]

    private static let results = [
        Options.Bench.compare.flag, Options.Bench.tolerance.flag, Options.Bench.exportJSON.flag,
    ]
}
