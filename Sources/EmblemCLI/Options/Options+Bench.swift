import Bench
import Flags
import Notation

extension Options {
    enum Bench {
        static let preset = own(
            "preset", .word(Preset.all.map(\.name)), "NAME",
            described: "logos; none if an INPUT is given",
            help: "Kind of batch to measure, and the images to generate for it.")
        static let jobs = own(
            "jobs", .wholes(1...1024), "LIST", described: "1, 2, 4 … up to the number of cores",
            help: "Numbers of images to process at the same time; each one is measured.")
        static let rounds = own(
            "rounds", .whole(1...1000), "N", usual: 5, help: "Measured runs of each case.")
        static let warmup = own(
            "warmup", .whole(0...100), "N", usual: 1,
            help: "Runs of each case before measuring starts.")
        static let scratch = own(
            "scratch", .folder, "DIR", described: "$TMPDIR, or /tmp",
            help: "Folder for temporary images and outputs.")
        static let compare = own(
            "compare", .file, "FILE", group: "Results",
            help: "Exit with 2 if a figure is worse than in this record of --export-json or "
                + "hyperfine.")
        static let tolerance = own(
            "tolerance", .tolerances, "LIST", usual: Comparison.usual, group: "Results",
            help: """
                Allowed slowdown for --compare, as in time=10%,cpu=5%.

                A value without a name applies to time and bytes. Every additional item without an \
                image counts as worse.
                """)
        static let compareAny = own(
            toggle: "compare-any",
            help: "Compare even if the options or the number of items differ from the base.")
        static let exportJSON = own(
            "export-json", .file, "FILE", group: "Results",
            help: "Write all measurements in the format of hyperfine.")
        static let exportMarkdown = own(
            "export-markdown", .file, "FILE", group: "Results",
            help: "Write the result tables as Markdown.")
        static let exportAction = own(
            "export-gha", .file, "FILE", group: "Results",
            help: "Write the medians for github-action-benchmark, tool customSmallerIsBetter.")
        static let plot = own(
            "plot", .file, "FILE", group: "Results",
            help: "Draw throughput by jobs, and item latency, as SVG.")
        static let json = own(
            toggle: "json", help: "Write the record to standard output instead of tables.")
        static let quiet = own(toggle: "quiet", help: "Do not print progress.")

        private static func own<Value>(
            _ name: String, _ form: ValueForm<Value>, _ placeholder: String,
            described: String? = nil, group: String = "Measurement", help: String
        ) -> FlagKey<Value?> {
            FlagKey(
                name, form, placeholder, described: described, group: group,
                isInConfiguration: false, help: help)
        }

        private static func own<Value>(
            _ name: String, _ form: ValueForm<Value>, _ placeholder: String, usual: Value,
            group: String = "Measurement", help: String
        ) -> FlagKey<Value> {
            FlagKey(
                name, form, placeholder, usual: usual, group: group, isInConfiguration: false,
                help: help)
        }

        private static func own(toggle name: String, help: String) -> FlagKey<Bool> {
            FlagKey(
                toggle: name, group: "Results", isInConfiguration: false,
                help: help)
        }
    }
}

extension ValueForm<Comparison.Tolerances> {
    /// The form of `--tolerance`: a tolerance for each measure. A value without a name applies to
    /// time and bytes.
    fileprivate static var tolerances: ValueForm {
        let names = Comparison.Measure.tolerated.map(\.rawValue)
        let range = 0.0...10_000
        return ValueForm(
            .percents(range, of: names),
            read: { text in
                guard let shares = ValueReader.percents(text, of: names, in: range) else {
                    return nil
                }
                var tolerances = Comparison.usual
                for measure in Comparison.Measure.tolerated {
                    let bare = [.time, .bytes].contains(measure) ? shares[""] : nil
                    tolerances[measure] = shares[measure.rawValue] ?? bare ?? tolerances[measure]
                }
                return tolerances
            },
            text: { Comparison.text(of: $0) })
    }
}
