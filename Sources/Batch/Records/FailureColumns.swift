import Engine
import Notation
import Transport

/// The columns that say of a failure what its row does not. One whose name a row has of its own is
/// called `emblem_…`.
struct FailureColumns {
    static let csv = ["row", "error_class"]
    static let json = ["index", "row", "class", "retryable", "message", "detail"]

    /// The form of a list by the column with the class, by which its rows are known again.
    private static let forms = ["error_class": csv, "class": json]

    private let names: [String]
    /// What the rows have of their own.
    private let given: Set<String>

    init(_ names: [String], beside entries: [FailureList.Entry]) {
        self.names = names
        var given: Set<String> = []
        for entry in entries {
            given.formUnion(Set(entry.columns.map(\.0)).subtracting(Self.former(entry)))
        }
        self.given = given
    }

    private static func other(_ name: String) -> String { "emblem_\(name)" }

    /// The last of `name`, `emblem_name`, `emblem_emblem_name` that is given: behind it no row has one.
    private static func last(of name: String, in given: Set<String>) -> String? {
        let names = sequence(first: name, next: other).prefix(4)
        return names.reversed().first(where: given.contains)
    }

    /// The columns of a row that came out of a list of failures, in whatever form: what they say is
    /// told anew.
    private static func former(_ entry: FailureList.Entry) -> Set<String> {
        let given = Set(entry.columns.map(\.0))
        var former: Set<String> = []
        for (mark, names) in forms {
            let name = last(of: mark, in: given)
            let text = entry.record.extra.first { $0.name == name }?.value.stringValue
            guard text.flatMap({ ErrorClass(rawValue: $0) }) != nil else { continue }
            former.formUnion(names.map { last(of: $0, in: given) ?? $0 })
        }
        return former
    }

    /// Whether the columns of a row tell that `emblem failures` wrote it.
    static func areFound(in columns: [JSON.Member]) -> Bool {
        columns.contains { $0.name == "row" }
            && columns.contains {
                forms[$0.name] != nil && $0.value.stringValue.flatMap(ErrorClass.init) != nil
            }
    }

    var all: [String] { names.map { self[$0] } }

    /// What a column is called.
    subscript(name: String) -> String {
        Self.last(of: name, in: given).map(Self.other) ?? name
    }

    /// The columns of the row itself.
    func others(of entry: FailureList.Entry) -> [(String, JSON)] {
        let former = Self.former(entry)
        return entry.columns.filter { !former.contains($0.0) }
    }
}

extension BatchPlan {
    /// Whether its first row comes from `emblem failures`.
    package var isListOfFailures: Bool {
        guard count > 0 else { return false }
        do throws(PlanError) {
            return FailureColumns.areFound(in: try item(at: 0).extra)
        } catch {
            return false
        }
    }
}

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
