/// The report in tables for a terminal.
extension BenchReport {
    /// What was run, one line a case, then where the time of the last case went.
    package var text: String {
        guard let first = all.first else { return "" }
        var text = "\(machine)\n\(command)\n"
        text += "\(first.items) items, \(first.outputs) outputs, \(rounds) rounds\n\n"
        text += throughput.text
        if let last = all.last {
            text += "\nLatency of an item in milliseconds, \(last.bench.title)\n\n"
            text += Self.latency(of: last).text
        }
        return text
    }

    /// The table of all cases, then the comparison, as Markdown.
    package func markdown(_ comparison: Comparison?) -> String {
        guard let first = all.first else { return "" }
        var parts = [
            "\(machine)", "    \(command)",
            "\(first.items) items, \(first.outputs) outputs, \(rounds) rounds", throughput.markdown,
        ]
        if let comparison {
            parts.append(comparison.table.markdown)
            if !comparison.notes.isEmpty {
                parts.append(comparison.notes.map { "- \($0)" }.joined(separator: "\n"))
            }
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var throughput: TextTable {
        var table = TextTable([
            "case", "items/s", "median s", "min s", "max s", "CPU ms/item", "peak MB", "speed",
        ])
        guard let first = all.first else { return table }
        for series in all {
            let peak = series.samples.map(\.end.peakResidentBytes).max() ?? 0
            table.add([
                series.bench.title, Figure.short(series.itemsPerSecond),
                Figure.fixed(series.seconds.median, 3), Figure.fixed(series.seconds.min, 3),
                Figure.fixed(series.seconds.max, 3), Figure.short(series.cpuMillisecondsPerItem),
                Figure.fixed(Double(peak) / 1_048_576, 0),
                Figure.fixed(series.speed(against: first), 2) + "x",
            ])
        }
        return table
    }

    private static func latency(of series: Series) -> TextTable {
        var table = TextTable(["stage", "count", "mean", "p50", "p90", "p99", "p99.9", "max"])
        for stage in series.stages where stage.count > 0 {
            table.add(
                [stage.name, "\(stage.count)"]
                    + RunFigures.columns.map { Figure.fixed(stage.milliseconds[$0] ?? 0, 2) })
        }
        return table
    }
}

extension Comparison {
    /// A line for each case, then the notes.
    package var text: String {
        table.text + (notes.isEmpty ? "" : "\n" + notes.map { $0 + "\n" }.joined())
    }

    var table: TextTable {
        var table = TextTable([
            "case", "base s", "now s", "time", "CPU", "memory", "bytes", "verdict",
        ])
        for row in rows {
            let changes = Measure.tolerated.map { row[$0]?.text ?? "-" }
            table.add(
                [
                    row.series.bench.title, Figure.fixed(row[.time]?.base.median ?? 0, 3),
                    Figure.fixed(row.series.seconds.median, 3),
                ] + changes + [verdict(of: row)])
        }
        return table
    }

    private func verdict(of row: Row) -> String {
        if !row.regressions.isEmpty {
            return "regression: " + row.regressions.map(\.title).joined(separator: ", ")
        }
        guard row.unclear.isEmpty, let time = row[.time] else { return "unclear" }
        return time.ratio < 1 - time.tolerance ? "faster" : "within tolerance"
    }

    /// Facts about the comparison that the table does not show.
    var notes: [String] {
        var lines: [String] = []
        for row in rows {
            let title = row.series.bench.title
            if row.hasSameOutputs == false {
                lines.append("\(title): the outputs differ from the base.")
            }
            if let change = row[.failures], change.now != change.base {
                lines.append(
                    "\(title): \(row.series.withoutPicture) of \(row.series.items) items have no "
                        + "image; in the base \(Figure.fixed(change.base.median, 0))."
                )
            }
            if let items = row.base.items, items != row.series.items {
                lines.append(
                    "\(title): the base had \(items) items, this run \(row.series.items); all but "
                        + "memory is compared per item.")
            }
            for change in row.unclear {
                lines.append(
                    "\(title): \(change.measure.title) is above its tolerance "
                        + "(\(change.text)), but the runs overlap with the base; measure again "
                        + "with more --rounds."
                )
            }
        }
        lines += unknown.map { "\($0.title): the base does not have this case." }
        lines += unmeasured.map { "\($0.title): only the base has this case." }
        return lines
    }
}

extension Comparison.Measure {
    fileprivate var title: String {
        switch self {
        case .time, .memory: rawValue
        case .cpu: "CPU time"
        case .bytes: "bytes written"
        case .failures: "items without a picture"
        }
    }
}

extension Comparison.Change {
    fileprivate var text: String { Figure.change(ratio) }
}
