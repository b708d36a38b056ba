import Batch
import Digest
import Engine
import Notation
import System
import Transport

/// One measured run of the tool.
package struct MeasuredRun: Hashable, Sendable {
    package var end: ProgramEnd
    package var items: Int
    package var withoutPicture: Int
    package var outputs: Int
    package var bytesOut: Int
    /// A digest of the names and bytes of all outputs.
    package var digest: String
    /// The members of `run.json` about tool, libraries and machine.
    package var surroundings: [JSON.Member]

    package init(
        end: ProgramEnd, items: Int, withoutPicture: Int, outputs: Int, bytesOut: Int,
        digest: String, surroundings: [JSON.Member]
    ) {
        self.end = end
        self.items = items
        self.withoutPicture = withoutPicture
        self.outputs = outputs
        self.bytesOut = bytesOut
        self.digest = digest
        self.surroundings = surroundings
    }

    /// Reads `run.json` and the manifest of a finished run.
    init(_ end: ProgramEnd, folder: String) throws(BenchError) {
        let record = try Self.record(folder)
        self.end = end
        items = record["items"]?.intValue ?? 0
        // The counts can be forged, so the arithmetic wraps instead of trapping.
        withoutPicture = items &- (record["ok"]?.intValue ?? items)
        outputs = record["outputs"]?.intValue ?? 0
        surroundings = ["tool", "versions", "kernels", "machine", "sandbox"].compactMap { name in
            record[name].map { JSON.Member(name, $0) }
        }
        (digest, bytesOut) = try Self.outputs(folder)
    }

    /// Returns the error classes of a run with their counts, for a message; empty without a record.
    static func errors(folder: String) -> String {
        let errors = (try? record(folder)["errors"])?.members ?? []
        return errors.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    }

    private static func record(_ folder: String) throws(BenchError) -> JSON {
        let path = FilePath("\(folder)/run.json")
        let bytes = try rethrowing(FileIntake.read(path, bytesLimit: 64 << 20).bytes) {
            (error: IntakeError) in
            BenchError.noRecord("run.json: \(error)")
        }
        return try rethrowing(JSONParser.parse(bytes.span)) { (error: JSONError) in
            BenchError.noRecord("run.json: \(error)")
        }
    }

    /// Returns the digest of all outputs in the order of the manifest, and their total size; reused
    /// outputs count too.
    private static func outputs(_ folder: String) throws(BenchError) -> (String, Int) {
        var hash = SHA256()
        var bytes = 0
        let noRecord = { (error: ManifestError) in BenchError.noRecord("\(error)") }
        try rethrowing(as: noRecord) { () throws(ManifestError) in
            var reader = try ManifestReader(folder: FilePath(folder))
            while let record = try reader.next() {
                for output in record["outputs"]?.elements ?? [] {
                    guard let path = output["path"]?.stringValue,
                        let digest = output["sha256"]?.stringValue
                    else { continue }
                    hash.update(Array("\(digest)  \(path)\n".utf8).span)
                    bytes &+= output["bytes"]?.intValue ?? 0
                }
            }
        }
        return (hash.finish().hex, bytes)
    }
}

/// A figure that can get worse. Raw values are the names in messages.
package enum Measure: String, Hashable, Sendable, CaseIterable {
    case time
    case cpu = "CPU time"
    case memory
    case bytes = "bytes written"
    case failures = "items without an image"
}

/// All measured runs of one batch.
package struct Measurement: Sendable {
    package let bench: BenchCase
    package let runs: [MeasuredRun]
    /// The start time as ISO 8601 text.
    package let createdAt: String

    package init(_ bench: BenchCase, _ runs: [MeasuredRun], createdAt: String) {
        self.bench = bench
        self.runs = runs
        self.createdAt = createdAt
    }

    package var items: Int { runs.first?.items ?? 0 }
    package var withoutPicture: Int { runs.first?.withoutPicture ?? 0 }
    package var machine: JSON? { surroundings.first { $0.name == "machine" }?.value }
    private var surroundings: [JSON.Member] { runs.first?.surroundings ?? [] }

    /// Returns the values of a measure: one of each run, or one for all where runs must be equal.
    func values(of measure: Measure) -> [Double] {
        switch measure {
        case .time: runs.map(\.end.seconds)
        case .cpu: runs.map { $0.end.userSeconds + $0.end.systemSeconds }
        case .memory: runs.map { Double($0.end.peakResidentBytes) }
        case .bytes: [Double(runs.first?.bytesOut ?? 0)]
        case .failures: [Double(withoutPicture)]
        }
    }

    /// The report for a terminal.
    package var text: String {
        let times = values(of: .time)
        let tool = surroundings.first { $0.name == "tool" }?.value.stringValue ?? "emblem"
        let cores = machine?["cores"]?.intValue ?? 1
        let place = [tool, machine?["cpu"]?.stringValue ?? "", "\(Counted(cores, "core"))"]
        let rows = [
            (
                "time",
                "\(Figure.fixed(times.median, 3)) s (\(Figure.fixed(times.min() ?? 0, 3)) to "
                    + "\(Figure.fixed(times.max() ?? 0, 3)))"
            ),
            ("rate", "\(Figure.short(rate)) items/s"),
            ("CPU time", "\(Figure.fixed(values(of: .cpu).median, 3)) s"),
            ("memory", "\(Figure.fixed((values(of: .memory).max() ?? 0) / 1_048_576, 0)) MB"),
        ]
        return place.filter { !$0.isEmpty }.joined(separator: ", ")
            + "\n\(bench.shown)\n\(Counted(items, "item")), "
            + "\(Counted(runs.first?.outputs ?? 0, "output")), "
            + "median of \(Counted(runs.count, "round")):\n"
            + rows.map { "  \($0)\(String(repeating: " ", count: 10 - $0.count))\($1)\n" }.joined()
    }

    private var rate: Double {
        let seconds = values(of: .time).median
        return seconds > 0 ? Double(items) / seconds : 0
    }

    /// Returns the record in hyperfine's format, with additional members.
    package func json() -> [UInt8] {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.array("results") { json in writeResult(into: &json) }
            json.member("schema", "emblem.bench/1")
            json.member("created", createdAt)
            if let preset = bench.parameters["preset"] { json.member("preset", preset) }
            json.member("rounds", runs.count)
            for member in surroundings { json.member(member.name, member.value) }
        }
        json.endLine()
        return json.take()
    }

    private func writeResult(into json: inout JSONWriter) {
        func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
        func write(_ name: String, _ values: [Double], into json: inout JSONWriter) {
            json.array(name) { json in
                for value in values { json.write(rounded(value)) }
            }
        }
        let times = values(of: .time)
        let users = runs.map(\.end.userSeconds)
        let systems = runs.map(\.end.systemSeconds)
        json.object { json in
            json.member("command", bench.shown)
            json.member("mean", rounded(times.mean))
            json.member("stddev", rounded(times.deviation))
            json.member("median", rounded(times.median))
            json.member("user", rounded(users.mean))
            json.member("system", rounded(systems.mean))
            json.member("min", rounded(times.min() ?? 0))
            json.member("max", rounded(times.max() ?? 0))
            write("times", times, into: &json)
            json.array("memory_usage_byte") { json in
                for run in runs { json.write(run.end.peakResidentBytes) }
            }
            json.array("exit_codes") { json in
                for run in runs { json.write(Int(run.end.exitCode)) }
            }
            json.object("parameters") { json in
                for (name, value) in bench.parameters.sorted(by: { $0.key < $1.key }) {
                    json.member(name, value)
                }
            }
            write("user_times", users, into: &json)
            write("system_times", systems, into: &json)
            json.member("items", items)
            json.member("without_picture", withoutPicture)
            json.member("outputs", runs.first?.outputs ?? 0)
            json.member("bytes_out", runs.first?.bytesOut ?? 0)
            json.member("items_per_second", (rate * 1000).rounded() / 1000)
            json.member("outputs_sha256", runs.first?.digest ?? "")
        }
    }
}

extension [Double] {
    package var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = self.sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }

    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

    /// The sample standard deviation, as in hyperfine; zero for a single value.
    package var deviation: Double {
        let squares = reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return count > 1 ? (squares / Double(count - 1)).squareRoot() : 0
    }
}
