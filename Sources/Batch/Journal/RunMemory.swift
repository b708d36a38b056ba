import Digest
import Engine
import Transport

/// The results of earlier runs, as the current run reuses them.
struct RunMemory: Sendable {
    let history: RunHistory?
    let isResumed: Bool
    /// Whether nothing is reused. The history still records which items the run requested.
    let startsOver: Bool
    let onlyFailures: Bool
    /// The digest of the options that affect all items, from `RunIdentity.lookDigest`.
    let look: Digest256
    let remoteOnly: Bool

    func key(of item: BatchItem) -> ItemKey {
        // An unusable source is identified by its text.
        ItemKey(item, item.knownReference(remoteOnly: remoteOnly), look: look)
    }

    /// Returns the earlier result, with its outputs checked.
    func past(_ key: ItemKey, in outlet: Outlet) -> ItemLine? {
        guard let history, var past = history.item(key), !startsOver else { return nil }
        settle(&past.item)
        if past.item.unchangedOutputs == nil { history.checkOutputs(of: &past, in: outlet) }
        return past
    }

    /// Whether the resumed run has seen the item fail for a reason that may pass.
    func isRetried(_ item: BatchItem) -> Bool {
        guard isResumed, !startsOver, let history, !history.isEmpty else { return false }
        return history.isRetried(key(of: item))
    }

    /// Whether items may have been prefetched.
    var looksAhead: Bool { !startsOver && history?.isEmpty == false }

    /// Returns the earlier result if it was prefetched.
    func ready(_ key: ItemKey) -> ItemLine? {
        guard looksAhead, var past = history?.readyItem(key) else { return nil }
        settle(&past.item)
        return past
    }

    private func settle(_ past: inout PastItem) {
        past.isOfRun = past.isOfRun && isResumed
        // What succeeded before the interrupted run is not requested by its continuation either.
        if isResumed, onlyFailures { past.isOfLastRun = true }
    }

    /// Records that an item was made again with other files, so that its former files can be
    /// removed.
    func note(_ end: JobResult, _ key: ItemKey) {
        guard end.reuse == .none, end.fatal == nil, end.record.status != .canceled,
            let former = history?.files(of: key)
        else { return }
        let files = Set(end.record.outputs.map { OwnedFile($0).key })
        if !former.allSatisfy({ files.contains($0.key) }) { history?.forget(key) }
    }
}
