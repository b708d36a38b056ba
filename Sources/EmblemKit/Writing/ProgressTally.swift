import Engine
import Synchronization

/// A counter of finished items for progress reports.
final class ProgressTally: Sendable {
    private let progress: Mutex<BatchProgress>
    private let tell: @Sendable (BatchProgress) -> Void

    init(total: Int, _ tell: @escaping @Sendable (BatchProgress) -> Void) {
        progress = Mutex(BatchProgress(total: total))
        self.tell = tell
    }

    func count(_ record: ItemRecord) {
        let status: EmblemOutcome.Status? =
            switch record.status {
            case .ok: .ok
            case .placeholder: .placeholder
            case .failed: .failed
            case .canceled: nil
            }
        guard let status else { return }
        tell(
            progress.withLock {
                $0.count(status)
                return $0
            })
    }
}
