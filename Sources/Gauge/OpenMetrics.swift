/// A family of measurements with one name, in the form that monitoring systems scrape.
package struct Metric: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// A number that only grows; its samples end in `_total`.
        case counter
        case gauge
        /// Quantiles with a sum and a count.
        case summary
        /// Facts as labels; the samples end in `_info` and have the value 1.
        case info
    }

    /// One number with the labels that distinguish it within its family.
    package struct Sample: Hashable, Sendable {
        /// The suffix of the family's name: `_sum`, `_count`, or empty.
        package var suffix: String
        package var labels: [Label]
        /// Any double; infinities and NaN are written as words.
        package var value: Double

        package init(_ value: Double, labels: [Label] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    package struct Label: Hashable, Sendable {
        /// ASCII letters, digits and `_`.
        package var name: String
        /// Any text; it is escaped when written.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// ASCII letters, digits and `_`; a unit comes last.
    package var name: String
    /// The type, which determines the suffixes of the sample names.
    package var kind: Kind
    /// The unit, such as `seconds`; empty for plain counts.
    package var unit: String
    package var help: String
    package var samples: [Sample]

    /// Traps on a name that monitoring systems do not accept.
    package init(_ name: String, _ kind: Kind, unit: String = "", help: String, _ samples: [Sample])
    {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        precondition(isPlain && !name.isEmpty, "The name of a metric is plain.")
        precondition(unit.isEmpty || name.hasSuffix("_" + unit), "The name ends in the unit.")
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.samples = samples
    }

    /// Returns the latencies of all stages as one summary in seconds, with the label `stage`.
    package static func latency(_ name: String, help: String, _ rows: [LatencySummary]) -> Metric {
        var samples: [Sample] = []
        for row in rows where row.count > 0 {
            let quantiles = [
                ("0.5", row.p50), ("0.9", row.p90), ("0.99", row.p99), ("0.999", row.p999),
            ]
            for (quantile, value) in quantiles {
                let labels = [Label("stage", row.stage), Label("quantile", quantile)]
                samples.append(Sample(Double(value) / 1e9, labels: labels))
            }
            let stage = [Label("stage", row.stage)]
            let sum = row.mean * Double(row.count) / 1e9
            samples.append(Sample(sum, labels: stage, suffix: "_sum"))
            samples.append(Sample(Double(row.count), labels: stage, suffix: "_count"))
        }
        return Metric(name, .summary, unit: "seconds", help: help, samples)
    }
}

package enum OpenMetrics {
    /// Returns all families in order, followed by the end mark that shows the text is complete.
    package static func text(_ metrics: [Metric]) -> String {
        var text = ""
        for metric in metrics {
            text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            if !metric.unit.isEmpty { text += "# UNIT \(metric.name) \(metric.unit)\n" }
            text += "# HELP \(metric.name) \(escaped(metric.help))\n"
            for sample in metric.samples { append(sample, of: metric, to: &text) }
        }
        return text + "# EOF\n"
    }

    private static func append(_ sample: Metric.Sample, of metric: Metric, to text: inout String) {
        text += metric.name
        switch metric.kind {
        case .counter: text += "_total"
        case .info: text += "_info"
        case .gauge, .summary: text += sample.suffix
        }
        if !sample.labels.isEmpty {
            let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }
            text += "{" + labels.joined(separator: ",") + "}"
        }
        text += " \(number(sample.value))\n"
    }

    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int(exactly: value) { return String(whole) }
        return value.description
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
