import Synchronization

/// The durations of all stages of a run.
///
/// Thread-safe. Recording an unknown stage is a precondition failure.
package final class StageTable: Sendable {
    package let stages: [String]
    private let indices: [String: Int]
    private let histograms: Mutex<[Histogram]>

    package init(stages: [String]) {
        self.stages = stages
        var indices: [String: Int] = [:]
        for (index, stage) in stages.enumerated() { indices[stage] = index }
        precondition(indices.count == stages.count, "The name of a stage is given once.")
        self.indices = indices
        histograms = Mutex(Array(repeating: Histogram(), count: stages.count))
    }

    /// Returns the index of a stage, for callers that record often.
    package func index(of stage: String) -> Int {
        guard let index = indices[stage] else { preconditionFailure("There is no stage \(stage).") }
        return index
    }

    /// Records one duration; takes a lock.
    package func record(_ stage: String, nanoseconds: UInt64) {
        let index = index(of: stage)
        histograms.withLock { $0[index].record(nanoseconds) }
    }

    /// Records the durations of one job under one lock.
    package func record(_ times: StageTimes) {
        histograms.withLock { histograms in
            for (index, nanoseconds) in times.recorded { histograms[index].record(nanoseconds) }
        }
    }

    /// Returns a row per stage in order, including stages without durations.
    package func summaries() -> [LatencySummary] {
        let histograms = histograms.withLock { $0 }
        return zip(stages, histograms).map { LatencySummary(stage: $0, $1) }
    }
}

/// The durations that one job measured, at most one per stage.
package struct StageTimes: Hashable, Sendable {
    private var times: [UInt64?]

    package init(_ table: StageTable) {
        times = Array(repeating: nil, count: table.stages.count)
    }

    /// Adds to the duration of the stage at an index of the table. A stage that is entered several
    /// times counts as one duration.
    package mutating func add(_ nanoseconds: UInt64, at index: Int) {
        precondition(times.indices.contains(index), "The index is one of the table's.")
        times[index] = (times[index] ?? 0) &+ nanoseconds
    }

    /// The duration at an index of the table; nil if the stage was not entered.
    package subscript(index: Int) -> UInt64? {
        times.indices.contains(index) ? times[index] : nil
    }

    var recorded: [(index: Int, nanoseconds: UInt64)] {
        times.enumerated().compactMap { index, time in time.map { (index, $0) } }
    }
}
