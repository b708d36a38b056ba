import Gauge
import Notation

/// A whole measurement: its cases, the machine and the results.
package struct BenchReport: Sendable {
    package let preset: String?
    package let rounds: Int
    package let all: [Series]
    /// The start time as ISO 8601 text.
    package let createdAt: String

    package init(preset: String?, rounds: Int, all: [Series], createdAt: String) {
        self.preset = preset
        self.rounds = rounds
        self.all = all
        self.createdAt = createdAt
    }

    /// The facts about tool, libraries and machine from the first run.
    private var surroundings: [JSON.Member] {
        all.first?.samples.first?.figures.surroundings ?? []
    }

    /// The name and version of the tool, and the processor.
    package var machine: String {
        let members = surroundings
        let tool = members.first { $0.name == "tool" }?.value.stringValue ?? "emblem"
        let machine = members.first { $0.name == "machine" }?.value
        let cpu = machine?["cpu"]?.stringValue ?? ""
        let cores = machine?["cores"]?.intValue ?? 1
        let parts = [tool, cpu, cores == 1 ? "1 core" : "\(cores) cores"]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns each fact about the machine that differs from the base.
    package func differences(from base: BaseRecord) -> [String] {
        let machine = surroundings.first { $0.name == "machine" }?.value
        return [("processor", "cpu"), ("cores", "cores"), ("architecture", "architecture")]
            .compactMap { title, name in
                guard let then = base.machine?[name], let now = machine?[name], then != now else {
                    return nil
                }
                let texts = [then, now].map { $0.stringValue ?? $0.text }
                return "\(title) \(texts[0]) there, \(texts[1]) here"
            }
    }

    /// Returns the record in hyperfine's format, with additional members.
    package func json() -> [UInt8] {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.array("results") { json in
                for series in all { series.write(into: &json) }
            }
            json.member("schema", "emblem.bench/1")
            json.member("created", createdAt)
            if let preset { json.member("preset", preset) }
            json.member("rounds", rounds)
            for member in surroundings { json.member(member.name, member.value) }
        }
        json.endLine()
        return json.take()
    }
}

extension Series {
    /// Writes one element of `results`, first with hyperfine's members in its order.
    func write(into json: inout JSONWriter) {
        let seconds = seconds
        json.object { json in
            json.member("command", bench.shown)
            json.member("mean", rounded(seconds.mean))
            json.member("stddev", rounded(seconds.deviation))
            json.member("median", rounded(seconds.median))
            json.member("user", rounded(Spread(samples.map(\.end.userSeconds)).mean))
            json.member("system", rounded(Spread(samples.map(\.end.systemSeconds)).mean))
            json.member("min", rounded(seconds.min))
            json.member("max", rounded(seconds.max))
            json.array("times") { json in
                for sample in samples { json.write(rounded(sample.end.seconds)) }
            }
            json.array("memory_usage_byte") { json in
                for sample in samples { json.write(sample.end.peakResidentBytes) }
            }
            json.array("exit_codes") { json in
                for sample in samples { json.write(Int(sample.end.exitCode)) }
            }
            json.object("parameters") { json in
                for parameter in bench.parameters { json.member(parameter.name, parameter.value) }
            }
            writeOwn(into: &json)
        }
    }

    private func writeOwn(into json: inout JSONWriter) {
        json.array("user_times") { json in
            for sample in samples { json.write(rounded(sample.end.userSeconds)) }
        }
        json.array("system_times") { json in
            for sample in samples { json.write(rounded(sample.end.systemSeconds)) }
        }
        json.member("items", items)
        json.member("without_picture", withoutPicture)
        json.member("outputs", outputs)
        json.member("bytes_in", samples.first?.figures.bytesIn ?? 0)
        json.member("bytes_out", bytesOut)
        json.member("items_per_second", (itemsPerSecond * 1000).rounded() / 1000)
        json.member("cpu_ms_per_item", (cpuMillisecondsPerItem * 1000).rounded() / 1000)
        json.member("outputs_sha256", digest)
        json.object("stages") { json in
            for stage in stages {
                json.object(stage.name) { json in
                    json.member("count", stage.count)
                    for column in RunFigures.columns {
                        json.member(column, stage.milliseconds[column] ?? 0)
                    }
                }
            }
        }
    }

    private func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
}

extension BenchReport {
    /// The report for a terminal: one line per case, then the stages of the last case.
    package var text: String {
        guard let first = all.first else { return "" }
        var text = "\(machine)\n\(first.bench.shown)\n"
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
            "case", "items/s", "median s", "min s", "max s", "CPU ms/item", "peak MB",
        ])
        for series in all {
            let peak = series.samples.map(\.end.peakResidentBytes).max() ?? 0
            table.add([
                series.bench.title, Figure.short(series.itemsPerSecond),
                Figure.fixed(series.seconds.median, 3), Figure.fixed(series.seconds.min, 3),
                Figure.fixed(series.seconds.max, 3), Figure.short(series.cpuMillisecondsPerItem),
                Figure.fixed(Double(peak) / 1_048_576, 0),
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
    /// The report: one line per case, then the notes.
    package var text: String {
        table.text + (notes.isEmpty ? "" : "\n" + notes.map { $0 + "\n" }.joined())
    }

    var table: TextTable {
        var table = TextTable([
            "case", "base s", "now s", "time", "CPU", "memory", "bytes", "verdict",
        ])
        for row in rows {
            let changes = Measure.allCases.filter { $0 != .failures }.map { row[$0]?.text ?? "-" }
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
            return "regression: " + row.regressions.map(\.verdict).joined(separator: ", ")
        }
        guard row.inconclusive.isEmpty, let time = row[.time] else { return "inconclusive" }
        guard time.isBelow else { return "within tolerance" }
        return time.isSure ? "faster\(time.sureness)" : "inconclusive"
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
            for change in row.inconclusive {
                lines.append(
                    "\(title): \(change.measure.title) is above its tolerance "
                        + "(\(change.text)), but this may be chance\(change.sureness); measure again "
                        + "with more --rounds.")
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

    /// The measure, with the confidence.
    fileprivate var verdict: String { measure.title + sureness }

    /// The confidence as text in parentheses; empty without one.
    fileprivate var sureness: String {
        confidence.map { " (confidence \(Figure.fixed(min($0, 0.999) * 100, 1)) %)" } ?? ""
    }
}

/// A table with aligned columns for a terminal. The first column is left-aligned, and numbers are
/// right-aligned.
package struct TextTable: Sendable {
    private var rows: [[String]]

    package init(_ head: [String]) { rows = [head] }

    /// Adds a row with as many cells as the head.
    package mutating func add(_ row: [String]) { rows.append(row) }

    /// The lines of the table, each with a line end.
    package var text: String {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let gap = String(repeating: " ", count: max(0, widths[column] - cell.count))
                line += (column == 0 ? cell + gap : "  " + gap + cell)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}

package enum Figure {
    /// Returns the number with this many decimal places.
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "-" }
        let factor = (0..<digits).reduce(1) { product, _ in product * 10 }
        let scaled = Int((abs(value) * Double(factor)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(scaled)" }
        let rest = String(scaled % factor)
        let zeros = String(repeating: "0", count: digits - rest.count)
        return "\(sign)\(scaled / factor).\(zeros)\(rest)"
    }

    /// Returns the number with about three significant digits.
    package static func short(_ value: Double) -> String {
        fixed(value, abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3)
    }

    /// Returns a ratio as a relative change: `+12.0 %`.
    package static func change(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        return (percent >= 0 ? "+" : "") + fixed(percent, 1) + " %"
    }
}
