import Batch
import Digest
import Engine
import Notation
import Transport

/// One case with all its measured runs.
package struct Series: Hashable, Sendable {
    /// A run from outside and from inside.
    package struct Sample: Hashable, Sendable {
        package var end: ProgramEnd
        package var figures: RunFigures

        package init(end: ProgramEnd, figures: RunFigures) {
            self.end = end
            self.figures = figures
        }
    }

    package let bench: BenchCase
    package var samples: [Sample] = []

    package init(_ bench: BenchCase, samples: [Sample] = []) {
        self.bench = bench
        self.samples = samples
    }

    /// Seconds of the whole process.
    package var seconds: Spread { Spread(samples.map(\.end.seconds)) }
    /// User and system seconds of all processes.
    package var cpuSeconds: Spread { Spread(samples.map(\.end.cpuSeconds)) }
    /// Rows of the list.
    package var items: Int { samples.first?.figures.items ?? 0 }
    /// Items without their own picture.
    package var withoutPicture: Int { samples.first?.figures.withoutPicture ?? 0 }
    /// Files that stand at the end.
    package var outputs: Int { samples.first?.figures.outputs ?? 0 }
    /// The sum of their sizes.
    package var bytesOut: Int { samples.first?.figures.bytesOut ?? 0 }
    /// The same for every run of the same work.
    package var digest: String { samples.first?.figures.digest ?? "" }
    /// In the run of median length.
    package var itemsPerSecond: Double {
        seconds.median > 0 ? Double(items) / seconds.median : 0
    }
    /// Thousandths of a second of all processors for one item.
    package var cpuMillisecondsPerItem: Double {
        items > 0 ? cpuSeconds.median * 1000 / Double(items) : 0
    }

    /// The latency of each stage that any run timed: of every figure the median over the runs.
    package var stages: [RunFigures.Stage] {
        guard let first = samples.first else { return [] }
        return first.figures.stages.map { stage in
            let alike = samples.compactMap { sample in
                sample.figures.stages.first { $0.name == stage.name }
            }
            var merged = stage
            for column in RunFigures.columns {
                merged.milliseconds[column] =
                    Spread(alike.compactMap { $0.milliseconds[column] }).median
            }
            return merged
        }
    }

    /// How many times as fast as the first of its pairs, run by run: the median of the ratios.
    package func speed(against other: Series) -> Double {
        Spread(
            zip(samples, other.samples).map { mine, theirs in
                mine.end.seconds > 0 ? theirs.end.seconds / mine.end.seconds : 0
            }
        ).median
    }
}

/// How a handful of measured values lie.
package struct Spread: Hashable, Sendable {
    /// Half of the values are at most this.
    package let median: Double
    /// The sum over the number.
    package let mean: Double
    /// Of a sample, as hyperfine has it; zero for a single value.
    package let deviation: Double
    package let min: Double
    package let max: Double
    /// A quarter of the values is at most the first, and three quarters the second.
    package let quartiles: (low: Double, high: Double)
    /// Values that are so far above the others that something else must have been at work, as
    /// multiples of the median.
    package let outliers: [Double]

    /// All zero where there is no value.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        let count = sorted.count
        guard let first = sorted.first, let last = sorted.last else {
            (median, mean, deviation, min, max) = (0, 0, 0, 0, 0)
            quartiles = (0, 0)
            outliers = []
            return
        }
        let half =
            count % 2 == 1
            ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
        median = half
        quartiles = (Self.quantile(sorted, 0.25), Self.quantile(sorted, 0.75))
        // Distances from the median, whose own median outliers do not move.
        let usual = Self.quantile(sorted.map { abs($0 - half) }.sorted(), 0.5) * 1.4826
        outliers = sorted.filter { count > 2 && $0 > half * 1.25 && $0 - half > usual * 5 }
            .map { $0 / half }
        let mean = sorted.reduce(0, +) / Double(count)
        self.mean = mean
        let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = count > 1 ? (squares / Double(count - 1)).squareRoot() : 0
        min = first
        max = last
    }

    /// The value below which a share of the sorted values lies, between two of them where need be.
    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let rank = share * Double(sorted.count - 1)
        let index = Int(rank)
        let next = Swift.min(index + 1, sorted.count - 1)
        return sorted[index] + (sorted[next] - sorted[index]) * (rank - Double(index))
    }

    package static func == (left: Spread, right: Spread) -> Bool {
        (left.median, left.mean, left.deviation) == (right.median, right.mean, right.deviation)
            && (left.min, left.max) == (right.min, right.max)
            && left.quartiles == right.quartiles && left.outliers == right.outliers
    }

    package func hash(into hasher: inout Hasher) {
        for value in [median, mean, deviation, min, max] { hasher.combine(value) }
    }
}

/// What a run says of itself, read from the records that it left.
package struct RunFigures: Hashable, Sendable {
    /// The latency of one stage, in milliseconds, under the names of the record.
    package struct Stage: Hashable, Sendable {
        package var name: String
        package var count: Int
        package var milliseconds: [String: Double]

        package init(name: String, count: Int, milliseconds: [String: Double]) {
            self.name = name
            self.count = count
            self.milliseconds = milliseconds
        }
    }

    package var items: Int
    /// Items without their own picture.
    package var withoutPicture: Int
    package var outputs: Int
    package var bytesIn: Int
    package var bytesOut: Int
    package var stages: [Stage]
    /// One number for the names and bytes of all outputs.
    package var digest: String
    /// What the record says of tool, libraries, kernels and machine, as it stands there.
    package var surroundings: [JSON.Member]

    /// What was read, or what a test says was.
    package init(
        items: Int, withoutPicture: Int, outputs: Int, bytesIn: Int, bytesOut: Int,
        stages: [Stage], digest: String, surroundings: [JSON.Member]
    ) {
        self.items = items
        self.withoutPicture = withoutPicture
        self.outputs = outputs
        self.bytesIn = bytesIn
        self.bytesOut = bytesOut
        self.stages = stages
        self.digest = digest
        self.surroundings = surroundings
    }

    /// The columns of a latency table, in the order in which records have them.
    package static let columns = ["mean_ms", "p50_ms", "p90_ms", "p99_ms", "p999_ms", "max_ms"]

    private static let bytesLimit = 64 << 20

    /// Reads `run.json` and the manifest of a finished run.
    package init(folder: String) throws(BenchError) {
        let record = try Self.record(folder)
        items = record["items"]?.intValue ?? 0
        withoutPicture = items - (record["ok"]?.intValue ?? items)
        outputs = record["outputs"]?.intValue ?? 0
        bytesIn = record["bytes_in"]?.intValue ?? 0
        stages = (record["stages"]?.members ?? []).map { member in
            Stage(
                name: member.name, count: member.value["count"]?.intValue ?? 0,
                milliseconds: Self.columns.reduce(into: [:]) { table, column in
                    table[column] = member.value[column]?.doubleValue
                })
        }
        surroundings = ["tool", "versions", "kernels", "machine", "sandbox"].compactMap {
            name in record[name].map { JSON.Member(name, $0) }
        }
        (digest, bytesOut) = try Self.outputs(folder)
    }

    /// The classes of the failures of a run with their numbers, for a message; empty where the run
    /// left no record.
    static func errors(folder: String) -> String {
        do throws(BenchError) {
            let errors = try record(folder)["errors"]?.members ?? []
            return errors.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
        } catch {
            return ""
        }
    }

    private static func record(_ folder: String) throws(BenchError) -> JSON {
        let path = FilePath("\(folder)/run.json")
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes = try FileIntake.read(path, bytesLimit: bytesLimit).bytes
        } catch {
            throw .noRecord("run.json: \(error)")
        }
        do throws(JSONError) {
            return try JSONParser.parse(bytes.span)
        } catch {
            throw .noRecord("run.json: \(error)")
        }
    }

    /// The digest of all outputs, in the order of the manifest, and the sum of their sizes: those
    /// that an earlier run wrote count too.
    private static func outputs(_ folder: String) throws(BenchError) -> (String, Int) {
        var hash = SHA256()
        var bytes = 0
        do throws(ManifestError) {
            var reader = try ManifestReader(folder: FilePath(folder))
            while let record = try reader.next() {
                for output in record["outputs"]?.elements ?? [] {
                    guard let path = output["path"]?.stringValue,
                        let digest = output["sha256"]?.stringValue
                    else { continue }
                    hash.update(Array("\(digest)  \(path)\n".utf8).span)
                    bytes += output["bytes"]?.intValue ?? 0
                }
            }
        } catch {
            throw .noRecord("\(error)")
        }
        return (hash.finish().hex, bytes)
    }
}
