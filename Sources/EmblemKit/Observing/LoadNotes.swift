import Synchronization

/// What was loaded for one component, noted by whoever does a part of it.
///
/// They go with the task, so that a loader of ours can note where bytes came from although a loader
/// of somebody else's asked it.
final class LoadNotes: Sendable {
    /// Nil where nobody wants to know.
    @TaskLocal static var current: LoadNotes?

    private let state = Mutex<(bytes: Int, origin: EmblemReport.Origin?)>((0, nil))

    var bytes: Int { state.withLock { $0.bytes } }
    var origin: EmblemReport.Origin? { state.withLock { $0.origin } }

    func count(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    func note(_ origin: EmblemReport.Origin) { state.withLock { $0.origin = origin } }
}
