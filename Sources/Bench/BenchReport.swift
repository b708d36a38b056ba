import Gauge
import Notation

/// A whole measurement: what was run, where, and what came of it.
package struct BenchReport: Sendable {
    package let preset: String?
    package let rounds: Int
    package let warmups: Int
    package let all: [Series]
    /// When it began, as records write it.
    package let createdAt: String

    package init(preset: String?, rounds: Int, warmups: Int, all: [Series], createdAt: String) {
        self.preset = preset
        self.rounds = rounds
        self.warmups = warmups
        self.all = all
        self.createdAt = createdAt
    }

    /// What the first run says of tool, libraries and machine.
    private var surroundings: [JSON.Member] {
        all.first?.samples.first?.figures.surroundings ?? []
    }

    /// The name of the tool and of the processor it ran on.
    package var machine: String {
        let members = surroundings
        let tool = members.first { $0.name == "tool" }?.value.stringValue ?? "emblem"
        let machine = members.first { $0.name == "machine" }?.value
        let cpu = machine?["cpu"]?.stringValue ?? ""
        let cores = machine?["cores"]?.intValue ?? 1
        let parts = [tool, cpu, cores == 1 ? "1 core" : "\(cores) cores"]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Each fact about the machine that the base tells otherwise.
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

    /// What all cases have in common, as a person would type it.
    package var command: String {
        guard let bench = all.first?.bench else { return "" }
        return bench.shown.replacing(" --jobs \(bench["jobs"] ?? "")", with: "", maxReplacements: 1)
    }

    /// The record in hyperfine's shape, with what hyperfine does not know beside it.
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
            json.member("warmup", warmups)
            for member in surroundings { json.member(member.name, member.value) }
        }
        json.endLine()
        return json.take()
    }
}

extension Series {
    /// One element of `results`: first what hyperfine writes, in its order.
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
