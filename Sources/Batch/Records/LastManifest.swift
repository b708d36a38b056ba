import Synchronization
import Targets
import Transport

/// The manifest of the last run. It keeps its name until the first file that it may name changes, and
/// then waits as `manifest.previous.ndjson` until the manifest of this run stands.
final class LastManifest: Sendable {
    private static let name = RelativePath(ours: RunFile.manifest.name)
    private static let previousName = RelativePath(ours: RunFile.previousManifest.name)

    private let folder: OutputFolder
    private let hasSteppedAside = Mutex(false)

    init(_ folder: OutputFolder) { self.folder = folder }

    /// Moves the manifest out of the way, once per run, and waits until the disk knows. After a power
    /// loss, a manifest that came back under its name would tell of files that changed since.
    func stepAside() throws(OutletError) {
        // All who want to change a file wait for the same sync, so it happens under the lock.
        try hasSteppedAside.withLock { isDone throws(OutletError) in
            guard !isDone else { return }
            let hasMoved = try folder.move(Self.name, to: Self.previousName)
            // A killed run may have moved it without a sync.
            var mayBeUnsynced = hasMoved
            if !mayBeUnsynced { mayBeUnsynced = try folder.exists(Self.previousName) }
            if mayBeUnsynced { try folder.syncFolder(of: Self.name) }
            isDone = true
        }
    }

    /// Moves the manifest back, where the set turned out to be the same.
    func comeBack() throws(OutletError) {
        guard try folder.exists(Self.name) else {
            try folder.move(Self.previousName, to: Self.name)
            return
        }
        // After a power loss an older manifest can be back although a newer one stands.
        forget()
    }

    /// Removes what waits, once the manifest of this run stands.
    func forget() {
        do throws(OutletError) {
            try folder.remove(Self.previousName)
        } catch {
            // The set is complete, and the next run replaces or removes what waits.
        }
    }

    /// The name that the manifest has now.
    static func currentName(in folder: OutputFolder) throws(OutletError) -> RelativePath {
        try folder.exists(name) ? name : previousName
    }
}
