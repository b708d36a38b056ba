import Bench
import Console
import Flags
import Transport

extension BenchCommand {
    /// Shows and stores what was measured; 2 where it is worse than the base.
    func tell(_ report: BenchReport) throws -> Int32 {
        let arguments = context.arguments
        for (option, bytes) in [
            (Options.Bench.exportJSON, report.json),
            (Options.Bench.plot, { Array(BenchPlot(report).svg.utf8) }),
        ] as [(FlagKey<String?>, () -> [UInt8])] {
            guard let path = arguments[option] else { continue }
            do throws(OutletError) {
                try SingleFile.write(bytes().span, to: FilePath(path))
            } catch {
                throw CommandFailure(error)
            }
        }
        let isJSON = arguments[Options.Bench.json]
        try context.output.write(isJSON ? report.json() : Array(report.text.utf8))
        for series in report.all where series.withoutPicture > 0 {
            context.messages.line(
                "emblem: \(series.bench.title): \(series.withoutPicture) of \(series.items) items "
                    + "have no picture of their own")
        }
        for series in report.all where !series.seconds.outliers.isEmpty {
            let times = series.seconds.outliers.map { Figure.fixed($0, 1) + "x" }
            context.messages.line(
                "emblem: \(series.bench.title): \(times.joined(separator: ", ")) the median in "
                    + "\(times.count) of \(series.samples.count) rounds; something else was at "
                    + "work: measure again, or with more --rounds")
        }
        guard let base else { return 0 }
        let comparison = Comparison(
            report.all, with: base, tolerance: arguments[Options.Bench.tolerance] / 100)
        guard !comparison.rows.isEmpty else {
            let known = Set(base.results.map { $0.parameters.description }).sorted()
            throw CommandFailure(
                65,
                "--compare \(arguments[Options.Bench.compare] ?? ""): it holds none of these cases, but "
                    + known.joined(separator: ", "))
        }
        // The record on standard output stays one that programs can read.
        let text =
            "\nAgainst \(arguments[Options.Bench.compare] ?? ""), tolerance "
            + "\(Figure.short(arguments[Options.Bench.tolerance])) %\n\n\(comparison.text)"
        isJSON ? context.messages.write(text) : try context.output.write(text)
        return comparison.hasRegression ? 2 : 0
    }
}
