import Notation
import System

/// A measurement compared with an earlier one.
package struct Comparison: Hashable, Sendable {
    /// A figure that can get worse. Raw values are the names in verdicts.
    package enum Measure: String, Hashable, Sendable, CaseIterable {
        case time, cpu, memory, bytes, failures
    }

    /// The default tolerance, in percent of the base.
    package static let usualTolerance = 10.0

    /// The confidence from which a change counts as real. Three rounds on each side can reach it.
    package static let neededConfidence = 0.95

    /// One measure of one case, now and in the base, scaled to the same number of items.
    package struct Change: Hashable, Sendable {
        package let measure: Measure
        package let now: Spread
        package let base: Spread
        /// The share that is tolerated: 0.1 for one tenth more.
        package let tolerance: Double

        /// The current median divided by the median of the base.
        package var ratio: Double { base.median > 0 ? now.median / base.median : 1 }

        package var isAbove: Bool { now.median > base.median * (1 + tolerance) }
        package var isBelow: Bool { now.median < base.median * (1 - tolerance) }

        /// The confidence that a change in the direction of `ratio` is not chance, from 0 to 1; nil
        /// if one side has a single value.
        package var confidence: Double? {
            ratio < 1 ? base.confidence(above: now) : now.confidence(above: base)
        }

        /// Whether the change is probably not caused by other work on the machine. A single value
        /// is compared with all values of the other side.
        package var isSure: Bool {
            // Three rounds on each side give 95 % but for rounding.
            if let confidence { return confidence > Comparison.neededConfidence - 1e-9 }
            return ratio < 1 ? now.max < base.median : now.min > base.median
        }
    }

    /// One case, and the result of the base that it is compared with.
    package struct Row: Hashable, Sendable {
        package let series: Series
        package let base: BaseRecord.Result
        /// The measures that the base has, in the order of their declaration.
        package let changes: [Change]

        fileprivate init(_ series: Series, _ base: BaseRecord.Result, _ tolerance: Double) {
            self.series = series
            self.base = base
            let scale = Double(max(series.items, 1)) / Double(max(base.items ?? series.items, 1))
            changes = Measure.allCases.compactMap { measure in
                guard let values = base.values[measure], !values.isEmpty else { return nil }
                return Change(
                    measure: measure, now: series.spread(of: measure),
                    base: Spread(measure == .memory ? values : values.map { $0 * scale }),
                    tolerance: measure == .failures ? 0 : tolerance / 100)
            }
        }

        package subscript(measure: Measure) -> Change? {
            changes.first { $0.measure == measure }
        }

        /// The changes for the worse that exceed their tolerance and are probably not chance.
        package var regressions: [Change] { changes.filter { $0.isAbove && $0.isSure } }

        /// The changes for the worse that exceed their tolerance, but may be chance.
        package var inconclusive: [Change] { changes.filter { $0.isAbove && !$0.isSure } }

        /// Whether the outputs are byte for byte those of the base; nil if the base has no digest.
        package var hasSameOutputs: Bool? { base.digest.map { $0 == series.digest } }
    }

    package let rows: [Row]
    /// The cases that the base does not have.
    package let unknown: [BenchCase]
    /// The results of the base that no case was compared with.
    package let unmeasured: [BaseRecord.Result]

    /// - Parameter tolerance: The tolerated share of all measures but failures, in percent.
    package init(
        _ all: [Series], with base: BaseRecord, tolerance: Double = Self.usualTolerance
    ) {
        rows = all.compactMap { series in
            base.result(for: series.bench).map { Row(series, $0, tolerance) }
        }
        unknown = all.filter { base.result(for: $0.bench) == nil }.map(\.bench)
        let compared = Set(rows.map(\.base))
        unmeasured = base.results.filter { !compared.contains($0) }
    }

    package var hasRegression: Bool { rows.contains { !$0.regressions.isEmpty } }
}

extension Series {
    fileprivate func spread(of measure: Comparison.Measure) -> Spread {
        switch measure {
        case .time: seconds
        case .cpu: cpuSeconds
        case .memory: Spread(samples.map { Double($0.end.peakResidentBytes) })
        case .bytes: Spread([Double(bytesOut)])
        case .failures: Spread([Double(withoutPicture)])
        }
    }
}

/// An earlier measurement to compare with, from `emblem bench` or hyperfine.
package struct BaseRecord: Hashable, Sendable {
    /// The members of one element of `results` that a comparison needs.
    package struct Result: Hashable, Sendable {
        package var command: String
        package var parameters: [String: String]
        /// The values of each measure, one for every run where the record has them.
        package var values: [Comparison.Measure: [Double]]
        package var items: Int?
        package var digest: String?

        /// The parameters in words, or the command of a result without any.
        package var title: String {
            guard !parameters.isEmpty else { return command }
            return parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        }
    }

    package let results: [Result]
    /// The machine that the record was made on; nil if the record names none.
    package let machine: JSON?

    /// The reason why a file is not a record.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
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
            items: json["items"]?.intValue, digest: json["outputs_sha256"]?.stringValue)
    }

    private static func values(
        of json: JSON, median: Double
    ) -> [Comparison.Measure: [Double]] {
        func numbers(_ name: String) -> [Double] {
            (json[name]?.elements ?? []).compactMap(\.doubleValue)
        }
        func number(_ name: String) -> [Double] { json[name]?.doubleValue.map { [$0] } ?? [] }
        func sums(_ first: [Double], _ second: [Double]) -> [Double] {
            first.count == second.count ? zip(first, second).map { $0 + $1 } : []
        }
        let times = numbers("times")
        let cpuTimes = sums(numbers("user_times"), numbers("system_times"))
        let values: [Comparison.Measure: [Double]] = [
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
            let shared = bench.parameters.filter { result.parameters[$0.name] != nil }
            if shared.isEmpty { return result.command == bench.shown }
            return shared.allSatisfy { result.parameters[$0.name] == $0.value }
        }
    }
}
