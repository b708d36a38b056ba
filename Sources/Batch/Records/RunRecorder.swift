import Codecs
import Digest
import Engine
import Gauge
import Notation
import Raster
import Render
import System
import Targets
import Transport

/// Collects the data of `run.json`. Its memory is bounded for runs of any length.
struct RunRecorder: ~Copyable {
    static let name = RunFile.record.name

    /// Returns the run record in `folder`; nil if it is missing or unreadable.
    static func record(in folder: FilePath, bytesLimit: Int = 16 << 20) -> JSON? {
        do {
            let file = try OpenFile(folder.appending(FilePath(name)))
            let bytes = try file.readAll(limit: bytesLimit)
            return try JSONParser.parse(bytes.span)
        } catch {
            return nil
        }
    }

    static let stageNames = RunStage.timed.map(\.rawValue)

    private let stages = StageTable(stages: stageNames)
    private let startedAt = WallClock.iso8601(milliseconds: WallClock.nowMilliseconds)
    private let start = MonotonicClock.now
    private var timeline = RunTimeline()
    private var slowest = SlowestList()
    private var network = NetworkUse()
    private var hostErrors = HostErrors()
    private var unwritten = UnwrittenItems()

    mutating func record(_ end: JobResult) {
        var times = StageTimes(stages)
        for lap in end.clock.laps {
            times.add(lap.nanoseconds, at: stages.index(of: lap.stage.rawValue))
        }
        stages.record(times)
        // The slowest items are those with the most work; waiting is not the item's fault.
        let total = end.clock.laps.last?.nanoseconds ?? 0
        let waiting = end.clock.laps.filter { $0.stage == .queue }.map(\.nanoseconds).reduce(0, +)
        slowest.record(
            index: end.record.index, nanoseconds: total - min(total, waiting),
            name: end.record.source)
        network.add(end.network)
        hostErrors.record(end.record)
        unwritten.record(end.record)
        timeline.record(at: MonotonicClock.elapsed(since: start))
    }

    func document(
        _ counts: RunCounts, changes: SetChanges?, options: OptionsRecord, jobs: Int,
        memoryBytes: Int, confinement: String
    ) -> [UInt8] {
        let elapsed = Double(MonotonicClock.elapsed(since: start)) / 1e9
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("schema", "emblem.run/1")
            json.member("tool", ToolVersion.text)
            json.member("started", startedAt)
            json.member("elapsed_seconds", rounded(elapsed))
            write(counts, elapsed: elapsed, into: &json)
            changes?.write("changes", into: &json)
            json.member("skipped_files", counts.skippedFiles)
            json.name("usage")
            ProcessUsage.current().write(to: &json)
            json.object("stages") { json in
                for summary in stages.summaries() where summary.count > 0 {
                    json.name(summary.stage)
                    summary.write(to: &json)
                }
            }
            json.name("timeline")
            timeline.write(to: &json)
            counts.write(errorsInto: &json)
            counts.write(lintInto: &json)
            json.name("errors_by_host")
            hostErrors.write(to: &json)
            json.member("errors_of_other_hosts", hostErrors.unlisted)
            unwritten.write(into: &json)
            write(slowestInto: &json)
            json.member("retries", network.retries)
            json.name("network")
            network.write(to: &json)
            json.member("jobs", jobs)
            json.member("memory_bytes", memoryBytes)
            json.member("sandbox", confinement)
            json.object("versions") { json in
                for library in CodecLibrary.all { json.member(library.name, library.version) }
            }
            json.object("kernels") { json in
                json.member("resample", KernelChoice.best.name)
                json.member("sha256", SHA256.kernelName)
            }
            json.name("machine")
            MachineFacts.current().write(to: &json)
            options.write(into: &json)
        }
        json.endLine()
        return json.take()
    }

    private func write(_ counts: RunCounts, elapsed: Double, into json: inout JSONWriter) {
        json.member("items", counts.done)
        json.member("ok", counts.ok)
        json.member("placeholder", counts.placeholders)
        json.member("failed", counts.failed)
        json.member("stale", counts.stale)
        json.member("outputs", counts.outputs)
        json.member("reused", counts.reused)
        json.member("resumed", counts.resumed)
        json.member("items_per_second", rounded(Double(counts.done) / max(elapsed, 1e-9)))
        json.member("outputs_per_second", rounded(Double(counts.outputs) / max(elapsed, 1e-9)))
        json.member("bytes_in", counts.bytesIn)
        json.member("bytes_out", counts.bytesOut)
    }

    private func write(slowestInto json: inout JSONWriter) {
        json.array("slowest") { json in
            for entry in slowest.entries {
                json.object { json in
                    json.member("index", entry.index)
                    json.member("source", entry.name)
                    json.member("ms", LatencySummary.milliseconds(Double(entry.nanoseconds)))
                }
            }
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

/// The reasons of write errors for `run.json`, because the messages of the manifest are fixed. The
/// first 100 are kept.
private struct UnwrittenItems: Sendable {
    private static let countLimit = 100

    private struct Entry: Sendable {
        let index: Int
        let source: String
        let reason: String
    }

    private var entries: [Entry] = []

    mutating func record(_ record: ItemRecord) {
        guard let failure = record.failure, failure.errorClass == .write,
            !failure.detail.isEmpty, entries.count < Self.countLimit
        else { return }
        entries.append(Entry(index: record.index, source: record.source, reason: failure.detail))
    }

    /// Writes an array in the order of the list; nothing if there are no write errors.
    func write(into json: inout JSONWriter) {
        guard !entries.isEmpty else { return }
        json.array("unwritten") { json in
            for entry in entries.sorted(by: { $0.index < $1.index }) {
                json.object { json in
                    json.member("index", entry.index)
                    json.member("source", entry.source)
                    json.member("message", entry.reason)
                }
            }
        }
    }
}
