/// A family of measurements with one name, as monitoring systems scrape them.
package struct Metric: Hashable, Sendable {
    /// What the numbers of a family mean to a monitor.
    package enum Kind: String, Sendable {
        /// Only grows; its samples end in `_total`.
        case counter
        case gauge
        /// Quantiles with a sum and a count.
        case summary
        /// Facts as labels; its samples end in `_info` and are 1.
        case info
    }

    /// One number with the labels that tell it from its siblings.
    package struct Sample: Hashable, Sendable {
        /// What is added to the family's name: `_sum`, `_count`, or nothing.
        package var suffix: String
        /// In the order in which they are written.
        package var labels: [Label]
        /// Any double; infinities and NaN have words of their own.
        package var value: Double

        /// A number, by default without labels.
        package init(_ value: Double, labels: [Label] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// A name and a value that tell samples apart.
    package struct Label: Hashable, Sendable {
        /// ASCII letters, digits and `_`.
        package var name: String
        /// Any text; it is escaped when written.
        package var value: String

        /// A pair as it will stand between braces.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// ASCII letters, digits and `_`; the unit, if there is one, comes last.
    package var name: String
    /// Decides the endings of the sample names.
    package var kind: Kind
    /// The unit, such as `seconds`; empty for plain counts.
    package var unit: String
    /// One sentence for whoever meets the family.
    package var help: String
    /// In the order in which they are written.
    package var samples: [Sample]

    /// Stops on a name that no monitor would take.
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

    /// The latency of stages as one summary in seconds, a label `stage` to tell them apart.
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

/// The text in which metrics are exchanged.
package enum OpenMetrics {
    /// All families in the order given, ended by the mark that tells a whole text from a cut one.
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
