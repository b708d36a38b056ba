import Notation
import Synchronization

/// The times of every stage of a run; the stages and their order are given as data.
///
/// Safe to use from every task at once. A stage that was not named at the start is a fault of
/// ours and stops.
package final class StageTable: Sendable {
    /// The names in the order of the work.
    package let stages: [String]
    private let indices: [String: Int]
    private let histograms: Mutex<[Histogram]>

    /// A table without times; each name is given once.
    package init(stages: [String]) {
        self.stages = stages
        var indices: [String: Int] = [:]
        for (index, stage) in stages.enumerated() { indices[stage] = index }
        precondition(indices.count == stages.count, "The name of a stage is given once.")
        self.indices = indices
        histograms = Mutex(Array(repeating: Histogram(), count: stages.count))
    }

    /// The index of a stage in the table, for those who record it often.
    package func index(of stage: String) -> Int {
        guard let index = indices[stage] else { preconditionFailure("There is no stage \(stage).") }
        return index
    }

    /// Takes in one time; costs a lock.
    package func record(_ stage: String, nanoseconds: UInt64) {
        let index = index(of: stage)
        histograms.withLock { $0[index].record(nanoseconds) }
    }

    /// Takes in what one job measured, under one lock.
    package func record(_ times: StageTimes) {
        histograms.withLock { histograms in
            for (index, nanoseconds) in times.recorded { histograms[index].record(nanoseconds) }
        }
    }

    /// A copy of what one stage recorded so far.
    package func histogram(of stage: String) -> Histogram {
        let index = index(of: stage)
        return histograms.withLock { $0[index] }
    }

    /// A row for each stage, in the order given at the start; stages without a time too.
    package func summaries() -> [LatencySummary] {
        let histograms = histograms.withLock { $0 }
        return zip(stages, histograms).map { LatencySummary(stage: $0, $1) }
    }

    /// An array of the rows, as the run record wants them.
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for summary in summaries() { summary.write(to: &writer) }
        writer.endArray()
    }
}

/// What one job measured: a time for each stage it went through, as a small value.
package struct StageTimes: Hashable, Sendable {
    private var times: [UInt64?]

    /// No times yet, with room for each stage of the table.
    package init(_ table: StageTable) {
        times = Array(repeating: nil, count: table.stages.count)
    }

    /// Adds to the time of the stage at an index of the table; a stage entered twice counts as one.
    package mutating func add(_ nanoseconds: UInt64, at index: Int) {
        precondition(times.indices.contains(index), "The index is one of the table's.")
        times[index] = (times[index] ?? 0) &+ nanoseconds
    }

    /// The time so far at an index of the table; nil if the stage was not entered.
    package subscript(index: Int) -> UInt64? {
        times.indices.contains(index) ? times[index] : nil
    }

    var recorded: [(index: Int, nanoseconds: UInt64)] {
        times.enumerated().compactMap { index, time in time.map { (index, $0) } }
    }
}
