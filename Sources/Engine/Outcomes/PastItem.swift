import Transport

/// The result of an item in an earlier run, which may be reused.
package struct PastItem: Sendable {
    package var record: ItemRecord
    /// The metadata of the source file that was shown, or of the item's own source if no source was
    /// shown. Nil if that source was not a file.
    package let seen: SeenFile?
    /// The index of the source that was shown: 0 is the item's own, 1 its first alternative.
    package let sourceIndex: Int
    /// The source of the dark outputs, if they show another source than the light outputs.
    package var dark = SeenSource()
    /// Whether the result comes from the interrupted run that this run resumes.
    package var isOfRun: Bool
    /// Whether the previous run, or the resumed one, had the item. If so, the files with its names
    /// belong to the item, even if they have changed since then.
    package var isOfLastRun = true
    /// Whether modification times of outputs changed; `record` then has the new times.
    package var isRetimed = false
    /// The outputs that are unchanged on disk; `nil` before they were checked.
    package var unchangedOutputs: [OutputRecord]?

    package init(record: ItemRecord, seen: SeenFile?, sourceIndex: Int, isOfRun: Bool) {
        self.record = record
        self.seen = seen
        self.sourceIndex = sourceIndex
        self.isOfRun = isOfRun
    }

    /// The earlier result of the item's dark twin, as if it were a separate item; nil if the dark
    /// outputs show the item's own source.
    var ofTwin: PastItem? {
        guard let src = record.srcDark, record.status == .ok else { return nil }
        var record = record
        record.src = src
        record.failure = nil
        record.isStale = false
        var twin = PastItem(
            record: record, seen: dark.seen, sourceIndex: dark.sourceIndex, isOfRun: isOfRun)
        twin.unchangedOutputs = unchangedOutputs
        return twin
    }

    /// Whether all outputs are unchanged on disk.
    package var isWhole: Bool { unchangedOutputs?.count == record.outputs.count }

    /// Returns the unchanged output with the same path as `other`.
    package func output(like other: OutputRecord) -> OutputRecord? {
        unchangedOutputs?.first { $0.isPlaced(like: other) }
    }

    /// Whether the same bytes always give this result.
    var isSettledByBytes: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        // A stale emblem may come from an item with other options, so it is drawn again.
        return failure.errorClass.persistence == .withBytes && !record.isStale
    }

    /// Whether the last run showed a fresh image of the item.
    var hasSucceeded: Bool { isOfLastRun && record.status == .ok && record.failure == nil }

    /// Whether the item failed in the resumed run for a reason that may have passed, so that it is
    /// retried now.
    package var isRetried: Bool { isOfRun && record.failure != nil && !isDone }

    /// Whether a resumed run keeps the item: it has its picture, or its failure is permanent.
    var isDone: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        guard !failure.isRetryable else { return false }
        // Other values of headers, which no record has, may mend a refused sign-in.
        guard ![401, 403, 407].contains(failure.status) else { return false }
        switch failure.errorClass.persistence {
        case .withBytes, .settled: return true
        // A timeout that is not retryable is a drawing that took too long, and would do so again.
        case .passing, .untilNextRun: return failure.errorClass == .timeout
        }
    }
}

/// The source that was drawn: its index, and the metadata of its file at that time.
package struct SeenSource: Sendable, Hashable {
    package var seen: SeenFile?
    /// The index of the source: 0 is the first, 1 its first alternative.
    package var sourceIndex = 0

    package init(seen: SeenFile? = nil, sourceIndex: Int = 0) {
        self.seen = seen
        self.sourceIndex = sourceIndex
    }
}

/// Whether the outputs of an item were reused from an earlier run.
package enum Reuse: Sendable, Hashable {
    case none
    /// The outputs are from an earlier run, and their source is unchanged.
    case unchanged
    /// The outputs were made before the run was interrupted.
    case resumed
}
