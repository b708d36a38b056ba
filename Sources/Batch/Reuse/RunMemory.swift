import Digest
import Engine
import Transport

/// What a run may take over from those before it.
struct RunMemory: Sendable {
    let history: RunHistory?
    /// The run goes on where the last one was interrupted.
    let isResumed: Bool
    /// Nothing is taken over; what was asked for is noted all the same.
    let startsOver: Bool
    /// What decides the outputs of all items, of `RunIdentity.lookDigest`.
    let look: Digest256
    let remoteOnly: Bool

    /// The key under which runs remember the item.
    func key(of item: BatchItem) -> ItemKey {
        // A source that cannot be used is known by its text.
        ItemKey(item, item.knownReference(remoteOnly: remoteOnly), look: look)
    }

    /// What an earlier run found out, and which of its outputs still stand.
    func past(_ key: ItemKey, in outlet: Outlet) -> ItemLine? {
        guard let history, var past = history.item(key), !startsOver else { return nil }
        past.item.isOfRun = past.item.isOfRun && isResumed
        if past.item.standing == nil { history.lookAtOutputs(of: &past, in: outlet) }
        return past
    }

    /// Whether the run that is resumed has seen the item fail for a reason that may pass.
    func isRetried(_ item: BatchItem) -> Bool {
        guard isResumed, !startsOver, let history, !history.isEmpty else { return false }
        return history.isRetried(key(of: item))
    }

    /// Items may have been looked at already.
    var looksAhead: Bool { !startsOver && history?.isEmpty == false }

    /// The same if it was looked at already.
    func ready(_ key: ItemKey) -> ItemLine? {
        guard looksAhead, var past = history?.readyItem(key) else { return nil }
        past.item.isOfRun = past.item.isOfRun && isResumed
        return past
    }

    /// Notes where an item ends with other files than it had.
    func note(_ end: JobResult, _ past: PastItem?, _ key: ItemKey, in outlet: Outlet) {
        guard end.reuse == .none, end.fatal == nil, end.record.status != .canceled, let past else {
            return
        }
        let paths = Set(end.record.outputs.map(\.path))
        guard !past.record.outputs.allSatisfy({ paths.contains($0.path) }) else { return }
        history?.forget(key)
        outlet.ledger.leave(outlet.filesLeft(of: past.record, by: end.record))
    }
}
