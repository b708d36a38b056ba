package struct PastItem: Sendable {
    package var record: ItemRecord
    /// The source file of the outputs, or the item's own source if nothing could be shown.
    package let seen: SeenFile?
    /// The index of the source that was shown: 0 is the item's own, 1 its first alternative.
    package let sourceIndex: Int
    /// The source of the dark outputs, if it is another one.
    package var dark = SeenSource()
    /// Whether the result is from the run that is resumed now.
    package var isOfRun: Bool
    /// Whether the previous run, or the resumed one, had the item. If so, the files under its names
    /// belong to the item, even if they changed since.
    package var isOfLastRun = true
    /// Whether modification times of outputs changed; `record` then has the new times.
    package var isRetimed = false
    /// The outputs that are unchanged on disk; `nil` before they were checked.
    package var standing: [OutputRecord]?

    package init(record: ItemRecord, seen: SeenFile?, sourceIndex: Int, isOfRun: Bool) {
        self.record = record
        self.seen = seen
        self.sourceIndex = sourceIndex
        self.isOfRun = isOfRun
    }

    /// The earlier result as that of the source of the dark outputs; nil if they show no other
    /// source.
    var ofTwin: PastItem? {
        guard let src = record.srcDark, record.status == .ok else { return nil }
        var record = record
        record.src = src
        record.failure = nil
        record.isStale = false
        var twin = PastItem(
            record: record, seen: dark.seen, sourceIndex: dark.sourceIndex, isOfRun: isOfRun)
        twin.standing = standing
        return twin
    }

    package var isWhole: Bool { standing?.count == record.outputs.count }

    /// Returns the unchanged output at the place of `other`.
    package func output(like other: OutputRecord) -> OutputRecord? {
        standing?.first { $0.isPlaced(like: other) }
    }

    /// Whether the result depends on the bytes alone.
    var isSettledByBytes: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        // A stale picture belongs to the bytes in its record; the failure is from a later attempt.
        return failure.errorClass.persistence == .withBytes || record.isStale
    }

    /// Whether the last run had the item and showed a fresh picture.
    var hasSucceeded: Bool { isOfLastRun && record.status == .ok && record.failure == nil }

    /// Whether it failed in the run that is resumed now, for a reason that may pass.
    package var isRetried: Bool { isOfRun && record.failure != nil && !isDone }

    /// Whether a resumed run keeps the item: it has its picture, or its failure is permanent.
    var isDone: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        guard !failure.isRetryable else { return false }
        switch failure.errorClass.persistence {
        case .withBytes, .settled: return true
        // A drawing that took too long is a permanent timeout.
        case .passing, .untilNextRun: return failure.errorClass == .timeout
        }
    }
}

/// A source as it was when it was shown.
package struct SeenSource: Sendable, Hashable {
    package var seen: SeenFile?
    /// The index of the source: 0 is the first, 1 its first alternative.
    package var sourceIndex = 0

    package init(seen: SeenFile? = nil, sourceIndex: Int = 0) {
        self.seen = seen
        self.sourceIndex = sourceIndex
    }
}

package enum Reuse: Sendable, Hashable {
    case none
    /// The outputs are from an earlier run, and their source is unchanged.
    case unchanged
    /// The outputs were made before the run was interrupted.
    case resumed
}
