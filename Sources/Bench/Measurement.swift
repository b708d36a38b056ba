import Batch
import CShims
import Digest
import Engine
import Notation
import System
import Transport

/// One measured run of the tool.
package struct MeasuredRun: Sendable {
    /// The exit code as a shell reports it: 128 plus the signal number for a killed process.
    let exitCode: Int32
    let seconds: Double
    let userSeconds: Double
    let systemSeconds: Double
    /// The peak memory of its largest process.
    let peakResidentBytes: Int
    let items: Int
    let withoutPicture: Int
    let outputs: Int
    let bytesOut: Int
    /// A digest of the names and bytes of all outputs.
    let digest: String
    /// The members of `run.json` about tool, libraries and machine.
    let surroundings: [JSON.Member]

    /// Reads `run.json` and the manifest of a finished run.
    init(_ end: emb_program_end, seconds: Double, folder: String) throws(BenchError) {
        try self.init(
            end, seconds: seconds, record: Self.record(folder), outputs: Self.outputs(folder))
    }

    /// - Parameter record: The record `run.json`.
    package init(
        _ end: emb_program_end, seconds: Double, record: JSON,
        outputs written: (digest: String, bytes: Int)
    ) {
        exitCode = end.code
        self.seconds = seconds
        userSeconds = end.user_seconds
        systemSeconds = end.system_seconds
        peakResidentBytes = end.peak_kilobytes &* 1024
        items = record["items"]?.intValue ?? 0
        // The counts can be forged, so the arithmetic wraps instead of trapping.
        withoutPicture = items &- (record["ok"]?.intValue ?? items)
        outputs = record["outputs"]?.intValue ?? 0
        surroundings = ["tool", "versions", "kernels", "machine", "sandbox"].compactMap { name in
            record[name].map { JSON.Member(name, $0) }
        }
        (digest, bytesOut) = written
    }

    /// Returns the error classes of a run with their counts, for a message; empty without a record.
    static func errors(folder: String) -> String {
        let errors = (try? record(folder)["errors"])?.members ?? []
        return errors.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    }

    private static func record(_ folder: String) throws(BenchError) -> JSON {
        do {
            let path = FilePath("\(folder)/run.json")
            let bytes = try FileIntake.read(path, bytesLimit: 64 << 20).bytes
            return try JSONParser.parse(bytes.span)
        } catch {
            throw .noRecord("run.json: \(error)")
        }
    }

    /// Returns the digest of all outputs in the order of the manifest, and their total size; reused
    /// outputs count too.
    private static func outputs(
        _ folder: String
    ) throws(BenchError) -> (digest: String, bytes: Int) {
        var hash = SHA256()
        var bytes = 0
        do {
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
        } catch {
            throw .noRecord("\(error)")
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
        case .time: runs.map(\.seconds)
        case .cpu: runs.map { $0.userSeconds + $0.systemSeconds }
        case .memory: runs.map { Double($0.peakResidentBytes) }
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
        let users = runs.map(\.userSeconds)
        let systems = runs.map(\.systemSeconds)
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
                for run in runs { json.write(run.peakResidentBytes) }
            }
            json.array("exit_codes") { json in
                for run in runs { json.write(Int(run.exitCode)) }
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
