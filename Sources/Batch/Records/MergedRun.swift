import Digest
import Notation
import Transport

/// Merges several run records into one. Sums are exact. Percentiles cannot be merged, so the record
/// contains the parts.
struct MergedRun {
    private let parts: [JSON]
    private let folderCount: Int
    /// The shard of each run, if its record has one.
    private let known: [(folder: FilePath, shard: ShardRecord)]

    /// Reads `run.json` in every folder; missing files are skipped.
    init(_ folders: [FilePath]) {
        folderCount = folders.count
        let records = folders.compactMap { folder in
            RunRecorder.record(in: folder).map { (folder: folder, json: $0) }
        }
        parts = records.map(\.json)
        known = records.compactMap { folder, json in
            ShardRecord(json["shard"]).map { (folder, $0) }
        }
    }

    /// The first run over a shard of another list, as a message; nil if there is none.
    var otherList: String? {
        guard let first = known.first else { return nil }
        for (folder, shard) in known.dropFirst() {
            guard let difference = shard.difference(from: first.shard) else { continue }
            return "\(folder) and \(first.folder) are shards of different lists: \(difference)"
        }
        return nil
    }

    /// The shards of the runs; empty if one of them does not record its shard.
    var shards: [ShardRecord] {
        known.count == folderCount ? known.map(\.shard) : []
    }

    func document(_ counts: RunCounts, _ changes: SetChanges?) -> [UInt8] {
        let elapsed = parts.map { number($0["elapsed_seconds"]) }.max() ?? 0
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("schema", "emblem.merged-run/1")
            json.member("tool", ToolVersion.text)
            json.member("started", parts.compactMap { $0["started"]?.stringValue }.min() ?? "")
            json.member("elapsed_seconds", elapsed)
            json.member("items", counts.done)
            json.member("ok", counts.ok)
            json.member("placeholder", counts.placeholders)
            json.member("failed", counts.failed)
            json.member("stale", counts.stale)
            json.member("outputs", counts.outputs)
            changes?.write("changes", into: &json)
            for name in ["reused", "bytes_in", "bytes_out", "retries"] {
                json.member(name, Int(sum(name)))
            }
            json.member("cpu_seconds", total(["usage", "cpu_seconds"]))
            json.member(
                "peak_resident_bytes",
                Int(parts.map { number($0[path: ["usage", "peak_resident_bytes"]]) }.max() ?? 0))
            json.object("stages") { json in
                for stage in RunRecorder.stageNames { write(stage, into: &json) }
            }
            counts.write(errorsInto: &json)
            counts.write(lintInto: &json)
            json.array("parts") { json in
                for part in parts { json.write(part) }
            }
        }
        json.endLine()
        return json.take()
    }

    private func write(_ stage: String, into json: inout JSONWriter) {
        let tables = parts.compactMap { $0[path: ["stages", stage]] }
        let count = tables.reduce(0) { $0 + number($1["count"]) }
        let sum = tables.reduce(0) { $0 + number($1["count"]) * number($1["mean_ms"]) }
        json.object(stage) { json in
            json.member("count", Int(count))
            json.member("mean_ms", count > 0 ? (sum / count * 1000).rounded() / 1000 : 0)
            json.member("max_ms", tables.map { number($0["max_ms"]) }.max() ?? 0)
        }
    }

    private func sum(_ name: String) -> Double { total([name]) }

    /// Returns the sum of a number over all parts, with three decimals.
    private func total(_ path: [String]) -> Double {
        let sum = parts.reduce(0) { $0 + number($1[path: path]) }
        return (sum * 1000).rounded() / 1000
    }

    /// Returns the number in a record, limited to the range from 0 to 1e15; 0 if it is missing or
    /// not finite.
    private func number(_ json: JSON?) -> Double {
        let value = json?.doubleValue ?? 0
        return value.isFinite ? min(max(value, 0), 1e15) : 0
    }
}
