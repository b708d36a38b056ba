/// What an earlier run found out about an item, as far as it still holds.
package struct PastItem: Sendable {
    package var record: ItemRecord
    /// The source file that the outputs come from, or the item's own where nothing could be shown.
    package let seen: SeenFile?
    /// Which source was shown: 0 is the item's own, 1 its first alternative.
    package let sourceIndex: Int
    /// It was found out by the run that is gone on with now.
    package var isOfRun: Bool
    /// The run before this one, or the one that is gone on with, had the item: what stands under its
    /// names is the item's, whatever became of it since.
    package var isOfLastRun = true
    /// Outputs stand under other times than they were left with, and `record` has those now.
    package var isRetimed = false
    /// The outputs that stand as they were written; `nil` before anybody has looked.
    package var standing: [OutputRecord]?

    package init(record: ItemRecord, seen: SeenFile?, sourceIndex: Int, isOfRun: Bool) {
        self.record = record
        self.seen = seen
        self.sourceIndex = sourceIndex
        self.isOfRun = isOfRun
    }

    /// Every output stands.
    package var isWhole: Bool { standing?.count == record.outputs.count }

    /// The output under the name of another, if it stands.
    package func output(like other: OutputRecord) -> OutputRecord? {
        standing?.first { $0.isPlaced(like: other) }
    }

    /// Whether the bytes alone decided how the item ended.
    var isSettledByBytes: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        // A stale picture belongs to the bytes in its record; the failure is that of a later attempt.
        return failure.errorClass.persistence == .withBytes || record.isStale
    }

    /// The last run had the item, and showed a fresh picture of it.
    var hasSucceeded: Bool { isOfLastRun && record.status == .ok && record.failure == nil }

    /// It failed in the run that is resumed now, for a reason that may pass.
    package var isRetried: Bool { isOfRun && record.failure != nil && !isDone }

    /// Whether a resumed run keeps the item: it has its picture, or lacks it for a reason that lasts.
    var isDone: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        guard !failure.isRetryable else { return false }
        switch failure.errorClass.persistence {
        case .withBytes, .settled: return true
        // A drawing that took too long is a timeout that lasts.
        case .passing, .untilNextRun: return failure.errorClass == .timeout
        }
    }
}

/// How an item came by its outputs.
package enum Reuse: Sendable, Hashable {
    /// They were made in this run.
    case none
    /// They stood already, and their source was found unchanged.
    case unchanged
    /// They were done before the run was interrupted.
    case resumed
}
