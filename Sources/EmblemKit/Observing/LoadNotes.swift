import Synchronization

/// Notes about the loading of one component, added by the loaders involved.
///
/// The notes are task-local, so that a loader of the library can add the origin of the bytes even
/// if a custom loader calls it.
final class LoadNotes: Sendable {
    /// The notes of the current task; `nil` without an observer.
    @TaskLocal static var current: LoadNotes?

    private let state = Mutex<(bytes: Int, origin: EmblemReport.Origin?)>((0, nil))

    var bytes: Int { state.withLock { $0.bytes } }
    var origin: EmblemReport.Origin? { state.withLock { $0.origin } }

    func count(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    func note(_ origin: EmblemReport.Origin) { state.withLock { $0.origin = origin } }
}
