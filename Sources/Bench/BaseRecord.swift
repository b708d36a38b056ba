import Notation

/// An earlier measurement to compare with: one of ours, or of hyperfine.
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
    /// The machine that the record was made on; nil where it names none.
    package let machine: JSON?

    /// Why a file is no record; the text says what is wrong with it.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Reads a record from its text.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        let json: JSON
        do throws(JSONError) {
            json = try JSONParser.parse(bytes.span)
        } catch {
            throw Malformed(description: "\(error)")
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
        // A base of zero has no share that could be tolerated, except for failures.
        return values.filter { $0.value.allSatisfy { $0 > 0 && $0.isFinite } }
            .merging([.failures: number("without_picture")]) { $1 }
    }

    /// The result for a case: the first that contradicts none of its parameters and shares one, or
    /// that ran the same command.
    package func result(for bench: BenchCase) -> Result? {
        results.first { result in
            let shared = bench.parameters.filter { result.parameters[$0.name] != nil }
            if shared.isEmpty { return result.command == bench.shown }
            return shared.allSatisfy { result.parameters[$0.name] == $0.value }
        }
    }
}
