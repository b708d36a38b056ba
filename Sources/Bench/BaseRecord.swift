import Notation

/// An earlier measurement to compare with: one of ours, or of hyperfine.
package struct BaseRecord: Hashable, Sendable {
    /// What is needed of one element of `results`.
    package struct Result: Hashable, Sendable {
        package var command: String
        package var parameters: [String: String]
        package var median: Double
        /// Seconds of every run; empty where the record does not tell them.
        package var times: [Double] = []
        package var cpuSeconds: Double?
        package var items: Int?
        package var bytesOut: Int?
        package var digest: String?
    }

    package let results: [Result]

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
            throw Malformed(description: "it has no results; --export-json writes such a file")
        }
        var results: [Result] = []
        for (index, element) in elements.enumerated() {
            results.append(try Self.result(element, index))
        }
        self.results = results
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
        let times = ["user", "system"].compactMap { json[$0]?.doubleValue }
        return Result(
            command: command, parameters: parameters, median: median,
            times: (json["times"]?.elements ?? []).compactMap(\.doubleValue),
            cpuSeconds: times.count == 2 ? times[0] + times[1] : nil,
            items: json["items"]?.intValue, bytesOut: json["bytes_out"]?.intValue,
            digest: json["outputs_sha256"]?.stringValue)
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
