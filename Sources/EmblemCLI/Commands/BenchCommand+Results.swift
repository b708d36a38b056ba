import Bench
import Console
import Flags
import Transport

extension BenchCommand {
    /// Shows and stores what was measured; 2 where it is worse than the base.
    func tell(_ report: BenchReport) throws -> Int32 {
        let arguments = context.arguments
        let tolerances = arguments[Options.Bench.tolerance]
        let comparison = base.map { Comparison(report.all, with: $0, tolerances: tolerances) }
        try write(report, comparison)
        let isJSON = arguments[Options.Bench.json]
        try context.output.write(isJSON ? report.json() : Array(report.text.utf8))
        for series in report.all where series.withoutPicture > 0 {
            context.messages.line(
                "\(series.bench.title): \(series.withoutPicture) of \(series.items) items have no "
                    + "image", .note)
        }
        for series in report.all where !series.seconds.outliers.isEmpty {
            let times = series.seconds.outliers.map { Figure.fixed($0, 1) + "x" }
            context.messages.line(
                "\(series.bench.title): \(times.joined(separator: ", ")) the median in "
                    + "\(times.count) of \(series.samples.count) rounds; another program was "
                    + "probably busy: measure again, or use more --rounds", .note)
        }
        guard let base, let comparison else { return 0 }
        let name = arguments[Options.Bench.compare] ?? ""
        let differences = report.differences(from: base)
        if !differences.isEmpty {
            context.warn(
                "\(name) was measured on another machine: "
                    + "\(differences.joined(separator: ", "))")
        }
        // The record on standard output stays one that programs can read.
        let text =
            "\nAgainst \(name), tolerance \(Comparison.text(of: tolerances))\n\n\(comparison.text)"
        isJSON ? context.messages.write(text) : try context.output.write(text)
        return comparison.hasRegression ? 2 : 0
    }

    /// Writes the files that options name. A base that the run is worse than is not replaced:
    /// otherwise the next run would be compared with the regression.
    private func write(_ report: BenchReport, _ comparison: Comparison?) throws(OutletError) {
        let arguments = context.arguments
        let kept = arguments[Options.Bench.compare].flatMap { FileFacts.at(FilePath($0))?.identity }
        for (option, bytes) in [
            (Options.Bench.exportJSON, report.json),
            (Options.Bench.exportMarkdown, { Array(report.markdown(comparison).utf8) }),
            (Options.Bench.plot, { Array(BenchPlot(report).svg.utf8) }),
        ] as [(FlagKey<String?>, () -> [UInt8])] {
            guard let path = arguments[option] else { continue }
            if comparison?.hasRegression == true, let kept,
                FileFacts.at(FilePath(path))?.identity == kept
            {
                context.warn(
                    "--\(option.flag.name) \(path): the base was not replaced, because the run is "
                        + "worse")
                continue
            }
            try SingleFile.write(bytes().span, to: FilePath(path))
        }
    }

    /// Refuses a base that no case can be compared with, before anything is measured.
    func check(_ base: BaseRecord, _ path: String) throws(CommandFailure) {
        let cases = BenchWords(command: self, drawn: nil).cases
        let pairs = cases.compactMap { bench in base.result(for: bench).map { (bench, $0) } }
        guard !pairs.isEmpty else {
            throw CommandFailure(
                65,
                "--compare \(path): the record has none of the measured cases "
                    + "(\(cases.map(\.title).joined(separator: "; "))), but "
                    + "\(base.results.map(\.title).joined(separator: "; "))")
        }
        guard !context.arguments[Options.Bench.compareAny] else { return }
        for (bench, result) in pairs {
            guard let then = Self.options(result.command), let now = Self.options(bench.shown),
                then != now
            else { continue }
            throw CommandFailure(
                65,
                "--compare \(path): the options were '\(then)' and are now '\(now)'. Measure a "
                    + "new base, or add --compare-any.")
        }
    }

    /// The options of a command that this tool recorded, without its inputs: the same pictures may
    /// lie elsewhere on the next machine.
    private static func options(_ command: String) -> String? {
        command.firstRange(of: " -o OUT ").map { String(command[$0.upperBound...]) }
    }
}
