import Bench
import Flags
import Notation

extension Options {
    enum Bench {
        static let preset = FlagKey<String?>(
            "preset", .word(Preset.all.map(\.name)), "NAME",
            described: "logos; none if an INPUT is given", group: "Measurement",
            isInConfiguration: false,
            help: "Kind of batch to measure, and the images to generate for it.")
        static let rounds = FlagKey<Int>(
            "rounds", .whole(1...1000), "N", usual: 5, group: "Measurement",
            isInConfiguration: false, help: "Measured runs of each case, after one that warms up.")
        static let compare = FlagKey<String?>(
            "compare", .file, "FILE", group: "Results", isInConfiguration: false,
            help: "Exit with 2 if a figure is worse than in this record of --export-json or "
                + "hyperfine.")
        static let tolerance = FlagKey<Double>(
            "tolerance", .percent(0...10_000), "P%", usual: Comparison.usualTolerance,
            group: "Results", isInConfiguration: false,
            help: """
                Allowed increase of time, CPU time, memory and bytes for --compare.

                Every additional item without an image counts as worse.
                """)
        static let exportJSON = FlagKey<String?>(
            "export-json", .file, "FILE", group: "Results", isInConfiguration: false,
            help: "Write all measurements in the format of hyperfine.")
    }
}
