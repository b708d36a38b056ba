/// A measurement beside an earlier one.
package struct Comparison: Hashable, Sendable {
    /// What can get worse. Processor time is told, but noise of the machine decides too much of it.
    package enum Measure: String, Hashable, Sendable {
        case time
        case bytes = "bytes written"
    }

    /// One case and what it is compared with.
    package struct Row: Hashable, Sendable {
        package let series: Series
        package let base: BaseRecord.Result
        /// What is worse than tolerated.
        package let regressions: [Measure]

        /// Seconds now over seconds then, for the same number of items.
        package var timeRatio: Double {
            series.seconds.median / Double(max(series.items, 1)) / Self.seconds(base, series)
        }

        /// Processor seconds now over then; nil where the base tells none.
        package var cpuRatio: Double? {
            base.cpuSeconds.map { cpu in
                let now = Spread(series.samples.map(\.end.cpuSeconds)).mean
                let items = Double(max(series.items, 1))
                return cpu > 0 ? now / items / (cpu / Double(base.items ?? series.items)) : 1
            }
        }

        /// The outputs are, byte for byte, those of the base; nil where the base tells nothing.
        package var hasSameOutputs: Bool? { base.digest.map { $0 == series.digest } }

        /// The base's seconds for one item; where it does not count items, ours count.
        fileprivate static func seconds(_ base: BaseRecord.Result, _ series: Series) -> Double {
            base.median / Double(max(base.items ?? series.items, 1))
        }
    }

    package let rows: [Row]
    /// Cases that the base knows nothing of.
    package let unknown: [BenchCase]
    /// A share: 0.1 tolerates one tenth more.
    package let tolerance: Double

    package init(_ all: [Series], with base: BaseRecord, tolerance: Double) {
        self.tolerance = tolerance
        rows = all.compactMap { series in
            base.result(for: series.bench).map { result in
                Row(
                    series: series, base: result,
                    regressions: Self.regressions(series, result, tolerance))
            }
        }
        unknown = all.filter { base.result(for: $0.bench) == nil }.map(\.bench)
    }

    /// Something got worse than tolerated.
    package var hasRegression: Bool { rows.contains { !$0.regressions.isEmpty } }

    /// Seconds of an item below which three quarters of the base's runs lay; its median where it does
    /// not tell them.
    private static func slowHalf(_ base: BaseRecord.Result, _ series: Series) -> Double {
        let seconds = base.times.count > 1 ? Spread(base.times).quartiles.high : base.median
        return seconds / Double(max(base.items ?? series.items, 1))
    }

    /// Time is worse where the median passes the tolerance, not one run was as quick as the base's
    /// median, and the middle halves of both lie apart: a neighbour's burst of work on a shared
    /// machine is no regression.
    private static func regressions(
        _ series: Series, _ base: BaseRecord.Result, _ tolerance: Double
    ) -> [Measure] {
        var found: [Measure] = []
        let items = Double(max(series.items, 1))
        let then = Row.seconds(base, series)
        if series.seconds.median / items > then * (1 + tolerance),
            series.seconds.min / items > then,
            series.seconds.quartiles.low / items > slowHalf(base, series)
        {
            found.append(.time)
        }
        if let bytes = base.bytesOut, bytes > 0 {
            let before = Double(bytes) / Double(max(base.items ?? series.items, 1))
            if Double(series.bytesOut) / items > before * (1 + tolerance) { found.append(.bytes) }
        }
        return found
    }
}
