/// The names that items probably get, while later rows that may want the same names still arrive.
///
/// A name is `NameResolver.name` with the number 0 or 1. No two sets of files have the same name, so
/// items can be drawn at once. The forecast holds about 50 bytes per item in memory.
struct NameForecast {
    /// The mark of an item that has no name before all rows have arrived.
    private static let late: UInt8 = .max

    /// Both words of the hash of source, recipe and name, as `NameResolver` compares them.
    private struct FileSet: Hashable {
        let hash: UInt64
        let rest: UInt64

        init(_ entry: NameEntry) { (hash, rest) = (entry.set, entry.setRest) }
    }

    /// The first items of all sets of files.
    private var owners: [FileSet: UInt32] = [:]
    /// The hashes of names that are in use or contested.
    private var taken: Set<UInt64> = []
    private var numbers: [UInt8] = []
    /// Whether an item does not have the name that it wants.
    private(set) var hasConflicts = false

    /// Adds the next item. Returns the number in its name, and the first item with the same files;
    /// nil if the item must wait for its name.
    ///
    /// - Parameter earlier: Returns the place of the item in the journal of earlier runs, under the
    ///   name with a number. An item keeps its last name there, so that its files are reused.
    mutating func add(
        _ entry: NameEntry, earlier: (UInt32) -> Int64?
    ) -> (number: UInt32, owner: Int)? {
        let files = FileSet(entry)
        let owner = owners[files].map { Int($0) } ?? numbers.count
        let isNew = owner == numbers.count
        if isNew { owners[files] = UInt32(truncatingIfNeeded: owner) }
        numbers.append(isNew ? newNumber(of: entry, earlier) : numbers[owner])
        if numbers[owner] != 0 { hasConflicts = true }
        return self[owner].map { ($0, owner) }
    }

    private mutating func newNumber(
        of entry: NameEntry, _ earlier: (UInt32) -> Int64?
    ) -> UInt8 {
        let isFirst = taken.insert(entry.name).inserted
        let (plain, suffixed) = (earlier(0), earlier(1))
        if plain == nil, suffixed == nil, (2...9).contains(where: { earlier($0) != nil }) {
            return Self.late
        }
        if isFirst, suffixed ?? -1 <= plain ?? -1 { return 0 }
        return taken.insert(entry.suffixed).inserted ? 1 : Self.late
    }

    /// Returns the number of an item; nil if it has to wait for its name.
    subscript(index: Int) -> UInt32? {
        numbers[index] == Self.late ? nil : UInt32(numbers[index])
    }
}
