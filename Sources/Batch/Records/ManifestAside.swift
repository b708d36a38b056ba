import Synchronization
import Transport

/// The manifest of the last run while it waits in `.emblem`.
///
/// Before the first output changes, its old name must be gone from the disk, too: after a power loss a
/// manifest that came back under this name would tell of outputs that changed since.
final class ManifestAside: Sendable {
    private let folder: OutputFolder
    private let needsSync = Mutex(false)

    init(_ folder: OutputFolder) { self.folder = folder }

    /// Notes that the manifest was moved here and that the disk need not know of it yet.
    func isMoved() { needsSync.withLock { $0 = true } }

    /// Waits until the disk knows that the manifest was moved, once per run.
    func sync() throws(OutletError) {
        // All who want to write wait for the same sync, so it happens under the lock.
        try needsSync.withLock { needsSync throws(OutletError) in
            guard needsSync else { return }
            try folder.syncFolder(of: Manifest.asideName)
            try folder.syncFolder(of: RelativePath(ours: Manifest.name))
            needsSync = false
        }
    }
}
