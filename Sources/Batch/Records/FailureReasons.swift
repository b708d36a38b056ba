import Engine
import Transport

/// Why items failed, in the words of libraries and of the system, which the manifest, whose messages
/// are fixed, leaves to the journal.
struct FailureReasons {
    /// An item that failed, as manifest and journal both tell of it.
    struct Item: Hashable {
        let index: Int
        /// Of its source, which may be a picture in itself, and of the class of its failure.
        private let likeness: Int

        init(index: Int, source: String, errorClass: String) {
            var hasher = Hasher()
            hasher.combine(source)
            hasher.combine(errorClass)
            self.index = index
            likeness = hasher.finalize()
        }
    }

    /// By the places of the items in their list.
    private var reasons: [Int: String] = [:]

    /// Looks for those of `failed`, items of the manifest in `folder`. A set that was joined or moved
    /// without its journal has none.
    init(of failed: [Item], in folder: FilePath) {
        guard !failed.isEmpty else { return }
        let sought = Set(failed)
        var reasons: [Int: String] = [:]
        JournalRecords.forEach(in: folder) { told in
            guard let failure = told.failure else { return }
            let item = Item(
                index: told.index, source: told.source, errorClass: failure.errorClass.rawValue)
            if sought.contains(item) { reasons[told.index] = failure.explanation }
        }
        self.reasons = reasons
    }

    /// Why the item at this place in its list failed; nil where nobody said.
    subscript(index: Int) -> String? { reasons[index] }
}
