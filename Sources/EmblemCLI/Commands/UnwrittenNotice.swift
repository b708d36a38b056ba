import Console
import Engine
import Notation
import Synchronization

/// Which items of a run could not be written, and why the first of them could not: what was in the way
/// has to be moved by somebody, so even a quiet run says it.
final class UnwrittenNotice: Sendable {
    private let found = Mutex((count: 0, first: ""))

    func note(_ record: ItemRecord) {
        guard let failure = record.failure, failure.errorClass == .write else { return }
        found.withLock { found in
            if found.count == 0 { found.first = failure.detail }
            found.count += 1
        }
    }

    /// Nil where all could be written.
    var text: String? {
        let (count, first) = found.withLock { $0 }
        guard count > 0 else { return nil }
        let reason = PrintableText.escaped(first)
        return count == 1
            ? reason
            : "\(Counted(count, "item")) could not be written; the first one: "
                + "\(reason)"
    }
}
