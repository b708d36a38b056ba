import Digest
import Transport

/// What a run may take over from those before it.
struct RunMemory: Sendable {
    /// Nil for a run that starts over; its items still get their keys.
    let history: RunHistory?
    /// The run goes on where the last one was interrupted.
    let isResumed: Bool
    /// What decides the outputs of all items, of `RunIdentity.lookDigest`.
    let look: Digest256
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
