import Engine
import Notation

/// The columns that say of a failure what its row does not. One whose name a row has of its own is
/// called `emblem_…`.
struct FailureColumns {
    static let csv = ["row", "error_class"]
    static let json = ["index", "row", "class", "retryable", "message"]

    /// The form of a list by the column with the class, by which its rows are known again.
    private static let forms = ["error_class": csv, "class": json]

    private let names: [String]
    private let taken: Set<String>

    init(_ names: [String], beside entries: [FailureList.Entry]) {
        self.names = names
        var given: Set<String> = []
        for entry in entries {
            given.formUnion(Set(entry.columns.map(\.0)).subtracting(Self.former(entry)))
        }
        taken = given.intersection(names)
    }

    private static func other(_ name: String) -> String { "emblem_\(name)" }

    /// The columns of a row that came out of a list of failures, in whatever form: what they say is
    /// told anew.
    private static func former(_ entry: FailureList.Entry) -> Set<String> {
        let given = Set(entry.columns.map(\.0))
        var former: Set<String> = []
        for (mark, names) in forms {
            let cameFromHere = [mark, other(mark)].contains { name in
                let text = entry.record.extra.first { $0.name == name }?.value.stringValue
                return text.map { ErrorClass(rawValue: $0) != nil } ?? false
            }
            guard cameFromHere else { continue }
            former.formUnion(names.map { given.contains(other($0)) ? other($0) : $0 })
        }
        return former
    }

    var all: [String] { names.map { self[$0] } }

    /// What a column is called.
    subscript(name: String) -> String { taken.contains(name) ? Self.other(name) : name }

    /// The columns of the row itself.
    func others(of entry: FailureList.Entry) -> [(String, JSON)] {
        let former = Self.former(entry)
        return entry.columns.filter { !former.contains($0.0) }
    }
}
