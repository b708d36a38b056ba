import Engine
import Notation
import Transport

/// The columns that a failure list adds to those of a row. If a row already has a column of the
/// same name, the added column is called `emblem_…`.
struct FailureColumns {
    static let csv = ["row", "error_class"]
    static let json = ["index", "row", "class", "retryable", "message", "detail", "remedy"]

    /// The columns that the CSV and the JSON form add, by the name of the form's column with the
    /// error class. A row with such a column comes from a failure list.
    private static let forms = ["error_class": csv, "class": json]

    private let names: [String]
    /// The columns of all rows, without those that an earlier failure list added.
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

    /// Returns the last of `name`, `emblem_name`, `emblem_emblem_name` that the rows have.
    private static func last(of name: String, in given: Set<String>) -> String? {
        let names = sequence(first: name, next: other).prefix(4)
        return names.reversed().first(where: given.contains)
    }

    /// Returns the columns of a row that an earlier failure list added; they are replaced.
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

    /// Whether the columns show that `emblem failures` wrote the row.
    static func areFound(in columns: [JSON.Member]) -> Bool {
        columns.contains { $0.name == "row" }
            && columns.contains {
                forms[$0.name] != nil && $0.value.stringValue.flatMap(ErrorClass.init) != nil
            }
    }

    var all: [String] { names.map { self[$0] } }

    subscript(name: String) -> String {
        Self.last(of: name, in: given).map(Self.other) ?? name
    }

    func others(of entry: FailureList.Entry) -> [(String, JSON)] {
        let former = Self.former(entry)
        return entry.columns.filter { !former.contains($0.0) }
    }
}

extension BatchPlan {
    package var isListOfFailures: Bool {
        count > 0 && FailureColumns.areFound(in: item(at: 0).extra)
    }
}

/// The detailed reasons of failures. They are only in the journal, because the messages in the
/// manifest are fixed.
struct FailureReasons {
    /// A failed item, identified by data that the manifest and the journal both contain.
    struct Item: Hashable {
        let index: Int
        /// A hash of the source and the error class. The source itself can be a long `data:` URL.
        private let fingerprint: Int

        init(index: Int, source: String, errorClass: String) {
            var hasher = Hasher()
            hasher.combine(source)
            hasher.combine(errorClass)
            self.index = index
            fingerprint = hasher.finalize()
        }
    }

    private var reasons: [Int: String] = [:]

    /// Reads the reasons of the `failed` items of the manifest in `folder`. A set that was merged,
    /// or moved without its journal, has none.
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

    /// The reason of the item at this index; nil if it is unknown.
    subscript(index: Int) -> String? { reasons[index] }
}
