import Bench
import Flags
import Notation

extension Options {
    /// Of `bench`, besides those of a batch.
    enum Bench {
        static let preset = own(
            "preset", .word(Preset.all.map(\.name)), "P",
            described: "logos, or nothing where there is an INPUT",
            help: "What is asked of the batch, and which pictures are drawn for it.")
        static let jobs = own(
            "jobs", .wholes(1...1024), "LIST", described: "1, 2, 4 … up to the cores",
            help: "Numbers of pictures rendered at once, each measured.")
        static let rounds = own(
            "rounds", .whole(1...1000), "N", usual: 5, help: "Measured runs of each case.")
        static let warmup = own(
            "warmup", .whole(0...100), "N", usual: 1,
            help: "Runs of each case that are thrown away first.")
        static let scratch = own(
            "scratch", .folder, "DIR", described: "$TMPDIR, else /tmp",
            help: "Where pictures and outputs stand while it lasts.")
        static let compare = own(
            "compare", .file, "BASE.json", group: "Results",
            help: "Exit with 2 if something is worse than in this record, which --export-json or "
                + "hyperfine wrote.")
        static let tolerance = own(
            "tolerance", .tolerances, "LIST", usual: Comparison.usual, group: "Results",
            help: "How much worse is not yet a regression, as in time=10%,cpu=5%. P% alone is for "
                + "time and bytes. An item more without a picture always is one.")
        static let compareAny = own(
            toggle: "compare-any",
            help: "Compare with a base of other options or of another number of items.")
        static let exportJSON = own(
            "export-json", .file, "FILE", group: "Results",
            help: "Write everything that was measured, in the form that hyperfine has.")
        static let exportMarkdown = own(
            "export-markdown", .file, "FILE", group: "Results",
            help: "Write the tables of results and of --compare as Markdown.")
        static let plot = own(
            "plot", .file, "FILE.svg", group: "Results",
            help: "Draw throughput by jobs and the latency of items.")
        static let json = own(
            toggle: "json", help: "Write the record to standard output instead of tables.")
        static let quiet = own(toggle: "quiet", help: "Do not tell which round is under way.")

        private static func own<Value>(
            _ name: String, _ form: ValueForm<Value>, _ placeholder: String,
            described: String? = nil, group: String = "How to measure", help: String
        ) -> FlagKey<Value?> {
            FlagKey(
                name, form, placeholder, described: described, group: group,
                isInEnvironment: false, isInConfiguration: false, help: help)
        }

        private static func own<Value>(
            _ name: String, _ form: ValueForm<Value>, _ placeholder: String, usual: Value,
            group: String = "How to measure", help: String
        ) -> FlagKey<Value> {
            FlagKey(
                name, form, placeholder, usual: usual, group: group, isInEnvironment: false,
                isInConfiguration: false, help: help)
        }

        private static func own(toggle name: String, help: String) -> FlagKey<Bool> {
            FlagKey(
                toggle: name, group: "Results", isInEnvironment: false, isInConfiguration: false,
                help: help)
        }
    }
}

extension ValueForm<Comparison.Tolerances> {
    /// A tolerance for each measure by its name; one without a name is for time and bytes.
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
