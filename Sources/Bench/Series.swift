import Batch
import Digest
import Engine
import Glibc
import Notation
import System
import Transport

/// All runs of one case.
package struct Series: Hashable, Sendable {
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

    package var seconds: Spread { Spread(samples.map(\.end.seconds)) }
    /// The CPU times (user and system) of all processes.
    package var cpuSeconds: Spread { Spread(samples.map(\.end.cpuSeconds)) }
    package var items: Int { samples.first?.figures.items ?? 0 }
    package var withoutPicture: Int { samples.first?.figures.withoutPicture ?? 0 }
    package var outputs: Int { samples.first?.figures.outputs ?? 0 }
    package var bytesOut: Int { samples.first?.figures.bytesOut ?? 0 }
    /// The digest of the outputs; equal for all runs of the same work.
    package var digest: String { samples.first?.figures.digest ?? "" }
    /// The rate of the run with the median time.
    package var itemsPerSecond: Double {
        seconds.median > 0 ? Double(items) / seconds.median : 0
    }
    package var cpuMillisecondsPerItem: Double {
        items > 0 ? cpuSeconds.median * 1000 / Double(items) : 0
    }

    /// The latency of each stage, with the median over the runs for each figure.
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
}

/// The statistics of a few measured values.
package struct Spread: Hashable, Sendable {
    package let median: Double
    package let mean: Double
    /// The sample standard deviation, as in hyperfine; zero for a single value.
    package let deviation: Double
    package var min: Double { values.first ?? 0 }
    package var max: Double { values.last ?? 0 }
    /// The measured values in ascending order.
    package let values: [Double]
    /// Values so far above the others that other load is likely, as multiples of the median.
    package let outliers: [Double]

    /// Computes the statistics; all are zero without values.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        let count = sorted.count
        self.values = sorted
        guard !sorted.isEmpty else {
            (median, mean, deviation) = (0, 0, 0)
            outliers = []
            return
        }
        let half =
            count % 2 == 1
            ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
        median = half
        // The median absolute deviation, which outliers do not change, scaled to a standard
        // deviation.
        let usual = Self.quantile(sorted.map { abs($0 - half) }.sorted(), 0.5) * 1.4826
        outliers = sorted.filter { count > 2 && $0 > half * 1.25 && $0 - half > usual * 5 }
            .map { $0 / half }
        let mean = sorted.reduce(0, +) / Double(count)
        self.mean = mean
        let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = count > 1 ? (squares / Double(count - 1)).squareRoot() : 0
    }

    /// Returns a quantile of sorted values, interpolated between two of them.
    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let rank = share * Double(sorted.count - 1)
        let index = Int(rank)
        let next = Swift.min(index + 1, sorted.count - 1)
        return sorted[index] + (sorted[next] - sorted[index]) * (rank - Double(index))
    }

    /// The most values on one side for which the test is exact. Above it, rounding errors of the
    /// exact sum grow, and the normal distribution differs by less than 0.001.
    private static let exactLimit = 100
    /// The most pairs of values that the test compares.
    private static let pairsLimit = 1_000_000

    /// Returns the confidence that the values are larger than those of `base`, from 0 to 1, by the
    /// one-sided Mann–Whitney test; nil if one side has a single value, or if there are more than
    /// 1,000,000 pairs of values.
    ///
    /// The test uses only the order of the values, so it needs no assumption about their
    /// distribution. Equal values count as evidence against a difference.
    package func confidence(above base: Spread) -> Double? {
        let (count, others) = (values.count, base.values.count)
        guard count > 1, others > 1, count <= Self.pairsLimit / others else { return nil }
        let pairsNotAbove = values.reduce(0) { sum, value in
            sum + base.values.count { value <= $0 }
        }
        if Swift.max(count, others) > Self.exactLimit {
            let pairs = Double(count * others)
            let deviation = (pairs * Double(count + others + 1) / 12).squareRoot()
            let distance = (Double(pairsNotAbove) + 0.5 - pairs / 2) / deviation
            return erfc(distance / 2.0.squareRoot()) / 2
        }
        return Swift.max(0, 1 - Self.chance(of: pairsNotAbove, count, others))
    }

    /// Returns the probability that at most `limit` of all pairs of a value and another one are in
    /// the wrong order if both sides have the same distribution.
    private static func chance(of limit: Int, _ count: Int, _ others: Int) -> Double {
        // The probabilities of each number of pairs are the coefficients of the Gaussian binomial,
        // whose factors are (1 - q^(others + step)) / (1 - q^step).
        var shares = [Double](repeating: 0, count: count * others + 1)
        shares[0] = 1
        for step in 1...count {
            for index in stride(from: shares.count - 1, through: others + step, by: -1) {
                shares[index] -= shares[index - others - step]
            }
            for index in step..<shares.count { shares[index] += shares[index - step] }
            let scale = Double(step) / Double(others + step)
            for index in shares.indices { shares[index] *= scale }
        }
        return shares[...limit].reduce(0, +)
    }
}

/// The figures of a run, read from its records.
package struct RunFigures: Hashable, Sendable {
    /// The latency of one stage in milliseconds, by the column names of the record.
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
    package var withoutPicture: Int
    package var outputs: Int
    package var bytesIn: Int
    package var bytesOut: Int
    package var stages: [Stage]
    /// A digest of the names and bytes of all outputs.
    package var digest: String
    /// The record's members about tool, libraries, kernels and machine, unchanged.
    package var surroundings: [JSON.Member]

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

    /// The columns of a latency table, in the order of the record.
    package static let columns = ["mean_ms", "p50_ms", "p90_ms", "p99_ms", "p999_ms", "max_ms"]

    private static let bytesLimit = 64 << 20

    /// Reads `run.json` and the manifest of a finished run.
    package init(folder: String) throws(BenchError) {
        let record = try Self.record(folder)
        items = record["items"]?.intValue ?? 0
        // The counts can be forged, so the arithmetic wraps instead of trapping.
        withoutPicture = items &- (record["ok"]?.intValue ?? items)
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

    /// Returns the error classes of a run with their counts, for a message; empty without a record.
    static func errors(folder: String) -> String {
        let errors = (try? record(folder)["errors"])?.members ?? []
        return errors.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    }

    private static func record(_ folder: String) throws(BenchError) -> JSON {
        let path = FilePath("\(folder)/run.json")
        let bytes = try rethrowing(FileIntake.read(path, bytesLimit: bytesLimit).bytes) {
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
