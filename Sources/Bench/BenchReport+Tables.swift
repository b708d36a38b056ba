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
    /// One line a case, then what is worth knowing beside.
    package var text: String {
        var table = TextTable([
            "case", "base s", "now s", "time", "CPU", "bytes", "verdict",
        ])
        for row in rows {
            let scale = row.series.items > 0 ? Double(row.series.items) : 1
            let base = row.base.median * scale / Double(row.base.items ?? row.series.items)
            table.add([
                row.series.bench.title, Figure.fixed(base, 3),
                Figure.fixed(row.series.seconds.median, 3), Figure.change(row.timeRatio),
                row.cpuRatio.map(Figure.change) ?? "-",
                row.base.bytesOut.map { bytes in
                    let then = Double(bytes) / Double(max(row.base.items ?? 1, 1))
                    return Figure.change(Double(row.series.bytesOut) / scale / max(then, 1))
                } ?? "-",
                verdict(of: row),
            ])
        }
        return table.text + notes
    }

    private func verdict(of row: Row) -> String {
        if !row.regressions.isEmpty {
            return "regression: " + row.regressions.map(\.rawValue).joined(separator: ", ")
        }
        return row.timeRatio < 1 - tolerance ? "faster" : "within tolerance"
    }

    private var notes: String {
        var lines: [String] = []
        for row in rows where row.hasSameOutputs == false {
            lines.append("\(row.series.bench.title): the outputs are not those of the base.")
        }
        for row in rows where row.base.items.map({ $0 != row.series.items }) == true {
            lines.append(
                "\(row.series.bench.title): the base had \(row.base.items ?? 0) items, this run "
                    + "\(row.series.items); times are compared by item.")
        }
        lines += unknown.map { "\($0.title): the base knows nothing of it." }
        return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
    }
}
