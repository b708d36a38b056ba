import Engine
import Transport

/// Why items failed, in the words of libraries and of the system, which the manifest, whose messages
/// are fixed, leaves to the journal.
struct FailureReasons {
    /// By the places of the items in their list.
    private var reasons: [Int: String] = [:]

    /// Looks for those of `failed`, records of the manifest in `folder`. A set that was joined or moved
    /// without its journal has none.
    init(of failed: [ItemRecord], in folder: FilePath) {
        guard !failed.isEmpty else { return }
        let sought = Dictionary(failed.map { ($0.index, $0) }, uniquingKeysWith: { $1 })
        guard var lines = try? RecordLines(folder.appending(FilePath("\(RunHistory.name)"))) else {
            return
        }
        // Later lines of an item take the place of earlier ones; what is no line of ours is passed by.
        while let line = (try? lines.next()) ?? nil {
            guard case .item = JournalLine.kind(of: line), let told = ItemLine(line)?.item.record,
                let failure = told.failure, let record = sought[told.index],
                record.source == told.source, record.failure?.errorClass == failure.errorClass
            else { continue }
            // Of what a server answered the manifest says all.
            let saysMore = failure.status == nil && !failure.detail.isEmpty
            reasons[told.index] = saysMore ? failure.detail : nil
        }
    }

    /// Why the item at this place in its list failed; nil where nobody said.
    subscript(index: Int) -> String? { reasons[index] }
}
