import Digest
import Engine
import Transport

/// What a run may take over from those before it.
struct RunMemory: Sendable {
    /// Nil for a run that starts over; its items still get their keys.
    let history: RunHistory?
    /// The run goes on where the last one was interrupted.
    let isResumed: Bool
    /// What decides the outputs of all items, of `RunIdentity.lookDigest`.
    let look: Digest256
    let remoteOnly: Bool

    /// The key under which runs remember the item.
    func key(of item: BatchItem) -> ItemKey {
        // A source that cannot be used is known by its text.
        ItemKey(item, item.knownReference(remoteOnly: remoteOnly), look: look)
    }

    /// What an earlier run found out, and which of its outputs still stand.
    func past(_ key: ItemKey, in outlet: Outlet) -> PastItem? {
        guard var past = history?.item(key) else { return nil }
        past.isOfRun = past.isOfRun && isResumed
        past.lookAtOutputs(in: outlet)
        return past
    }
}
