import Engine
import Notation

/// The columns that say of a failure what its row does not. One whose name a row has of its own is
/// called `emblem_…`.
struct FailureColumns {
    private let names: [String]
    private let mark: String
    private let taken: Set<String>

    /// - Parameter mark: the column with the class, by which a row is known that came from here.
    init(_ names: [String], mark: String, beside entries: [FailureList.Entry]) {
        self.names = names
        self.mark = mark
        var taken: Set<String> = []
        for entry in entries {
            let given = Set(entry.columns.map(\.0))
            let isOurs = Self.cameFromHere(entry, mark)
            for name in names where given.contains(name) {
                if !isOurs || given.contains(Self.other(name)) { taken.insert(name) }
            }
        }
        self.taken = taken
    }

    private static func other(_ name: String) -> String { "emblem_\(name)" }

    /// The list was made of failures before: what it says of those is told anew.
    private static func cameFromHere(_ entry: FailureList.Entry, _ mark: String) -> Bool {
        [mark, other(mark)].contains { name in
            let text = entry.record.extra.first { $0.name == name }?.value.stringValue
            return text.map { ErrorClass(rawValue: $0) != nil } ?? false
        }
    }

    var all: [String] { names.map { self[$0] } }

    /// What a column is called.
    subscript(name: String) -> String { taken.contains(name) ? Self.other(name) : name }

    /// The columns of the row itself.
    func others(of entry: FailureList.Entry) -> [(String, JSON)] {
        let ours = Set(names.filter { !taken.contains($0) } + names.map(Self.other))
        return entry.columns.filter { !ours.contains($0.0) }
    }
}
