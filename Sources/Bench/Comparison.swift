import Notation
import System

/// A measurement compared with an earlier one.
package struct Comparison: Sendable {
    /// The default tolerance, in percent of the base.
    package static let usualTolerance = 10.0

    /// One measure, now and in the base.
    package struct Change: Sendable {
        package let measure: Measure
        let now: [Double]
        let base: [Double]
        /// Whether the median is above that of the base by more than the tolerance.
        let isAbove: Bool

        /// Whether the change is probably not caused by other work on the machine: with a
        /// confidence of 95 %, which three rounds on each side can reach. A single value is compared
        /// with all values of the other side.
        var isSure: Bool {
            // A rounding error must not exclude three rounds.
            if let confidence = Self.confidence(now, above: base) {
                return confidence > 0.95 - 1e-9
            }
            return (now.min() ?? 0) > base.median
        }

        var text: String {
            let percent = base.median > 0 ? (now.median / base.median - 1) * 100 : 0
            return (percent >= 0 ? "+" : "") + Figure.fixed(percent, 1) + " %"
        }
    }

    /// The measures that the base has, in the order of their declaration.
    package let changes: [Change]

    /// - Parameter tolerance: The tolerated share of all measures but failures, in percent.
    package init(
        _ measurement: Measurement, with base: BaseRecord.Result,
        tolerance: Double = Self.usualTolerance
    ) {
        changes = Measure.allCases.compactMap { measure in
            guard let then = base.values[measure], !then.isEmpty else { return nil }
            let now = measurement.values(of: measure)
            let share = measure == .failures ? 0 : tolerance / 100
            return Change(
                measure: measure, now: now, base: then,
                isAbove: now.median > then.median * (1 + share))
        }
    }

    /// The changes for the worse that exceed their tolerance and are probably not chance.
    package var regressions: [Change] { changes.filter { $0.isAbove && $0.isSure } }

    /// The report: one line for each measure.
    package var text: String {
        changes.filter { $0.measure != .failures || $0.isAbove }.map { change in
            let name = change.measure.rawValue
            let gap = String(repeating: " ", count: max(2, 16 - name.count))
            guard change.measure != .failures else {
                return "  regression: \(name): \(Figure.fixed(change.now.median, 0)), in the base "
                    + "\(Figure.fixed(change.base.median, 0))\n"
            }
            let verdict =
                !change.isAbove
                ? "within tolerance"
                : change.isSure ? "regression: \(name)" : "inconclusive; use more --rounds"
            return "  \(name)\(gap)\(change.text)  \(verdict)\n"
        }.joined()
    }
}

extension Comparison.Change {
    /// Returns the confidence that the values are larger than those of `base`, from 0 to 1, by the
    /// one-sided exact Mann–Whitney test; nil if one side has a single value or more than 100.
    ///
    /// The test uses only the order of the values, so it needs no assumption about their
    /// distribution. Equal values count as evidence against a difference.
    package static func confidence(_ values: [Double], above base: [Double]) -> Double? {
        guard (2...100).contains(values.count), (2...100).contains(base.count) else { return nil }
        let pairsNotAbove = values.reduce(0) { sum, value in
            sum + base.count { value <= $0 }
        }
        // The probabilities of each number of pairs are the coefficients of the Gaussian binomial,
        // whose factors are (1 - q^(others + step)) / (1 - q^step).
        var shares = [Double](repeating: 0, count: values.count * base.count + 1)
        shares[0] = 1
        for step in 1...values.count {
            for index in stride(from: shares.count - 1, through: base.count + step, by: -1) {
                shares[index] -= shares[index - base.count - step]
            }
            for index in step..<shares.count { shares[index] += shares[index - step] }
            let scale = Double(step) / Double(base.count + step)
            for index in shares.indices { shares[index] *= scale }
        }
        return max(0, 1 - shares[...pairsNotAbove].reduce(0, +))
    }
}

/// An earlier measurement to compare with, from `emblem bench` or hyperfine.
package struct BaseRecord: Sendable {
    /// The members of one element of `results` that a comparison needs.
    package struct Result: Sendable {
        package let command: String
        let parameters: [String: String]
        /// The values of each measure, one for every run where the record has them.
        package let values: [Measure: [Double]]
        package let items: Int?

        /// The parameters in words, or the command of a result without any.
        package var title: String {
            guard !parameters.isEmpty else { return command }
            return parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        }
    }

    package let results: [Result]
    /// The machine that the record was made on; nil if the record names none.
    private let machine: JSON?

    /// The reason why a file is not a record.
    package struct Malformed: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    package init(_ bytes: [UInt8]) throws(Malformed) {
        let json = try rethrowing(JSONParser.parse(bytes.span)) { (error: JSONError) in
            Malformed(description: "\(error)")
        }
        guard let elements = json["results"]?.elements, !elements.isEmpty else {
            throw Malformed(description: "it has no results; use a file of --export-json")
        }
        var results: [Result] = []
        for (index, element) in elements.enumerated() {
            results.append(try Self.result(element, index))
        }
        self.results = results
        machine = json["machine"]
    }

    private static func result(_ json: JSON, _ index: Int) throws(Malformed) -> Result {
        guard let median = json["median"]?.doubleValue, median > 0, median.isFinite else {
            throw Malformed(description: "results[\(index)] has no median of seconds")
        }
        guard let command = json["command"]?.stringValue else {
            throw Malformed(description: "results[\(index)] has no command")
        }
        var parameters: [String: String] = [:]
        for member in json["parameters"]?.members ?? [] {
            parameters[member.name] = member.value.stringValue ?? member.value.text
        }
        return Result(
            command: command, parameters: parameters, values: values(of: json, median: median),
            items: json["items"]?.intValue)
    }

    private static func values(of json: JSON, median: Double) -> [Measure: [Double]] {
        func numbers(_ name: String) -> [Double] {
            (json[name]?.elements ?? []).compactMap(\.doubleValue)
        }
        func number(_ name: String) -> [Double] { json[name]?.doubleValue.map { [$0] } ?? [] }
        func sums(_ first: [Double], _ second: [Double]) -> [Double] {
            first.count == second.count ? zip(first, second).map { $0 + $1 } : []
        }
        let times = numbers("times")
        let cpuTimes = sums(numbers("user_times"), numbers("system_times"))
        let values: [Measure: [Double]] = [
            .time: times.isEmpty ? [median] : times,
            .cpu: cpuTimes.isEmpty ? sums(number("user"), number("system")) : cpuTimes,
            .memory: numbers("memory_usage_byte"), .bytes: number("bytes_out"),
        ]
        // A tolerance is a share of the base, so a base of zero cannot be compared; failures have
        // no tolerance.
        return values.filter { $0.value.allSatisfy { $0 > 0 && $0.isFinite } }
            .merging([.failures: number("without_picture")]) { $1 }
    }

    /// Returns the result to compare a case with: the first with equal values for all shared
    /// parameters. A result that shares no parameter must have run the same command.
    package func result(for bench: BenchCase) -> Result? {
        results.first { result in
            let shared = bench.parameters.filter { result.parameters[$0.key] != nil }
            if shared.isEmpty { return result.command == bench.shown }
            return shared.allSatisfy { result.parameters[$0.key] == $0.value }
        }
    }

    /// Returns each fact about the machine that differs from that of the measurement.
    package func differences(from measurement: Measurement) -> [String] {
        [("processor", "cpu"), ("cores", "cores")].compactMap { title, name in
            guard let then = machine?[name], let now = measurement.machine?[name], then != now
            else { return nil }
            let texts = [then, now].map { $0.stringValue ?? $0.text }
            return "\(title) \(texts[0]) there, \(texts[1]) here"
        }
    }
}
