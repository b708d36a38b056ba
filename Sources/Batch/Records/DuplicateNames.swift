import Engine
import Notation
import Render
import Transport

/// Writes into the lines of a manifest which items look like another one.
struct DuplicateNames {
    private let pairs: [NearDuplicates.Pair]
    private var next = 0
    /// What the others are called, by their positions.
    private var ids: [Int: String] = [:]

    init(_ pairs: [NearDuplicates.Pair]) { self.pairs = pairs }

    mutating func read(_ journal: inout Journal) throws(OutletError) {
        for pair in pairs where ids[pair.first] == nil {
            ids[pair.first] = try journal.record(at: pair.first)?.id
        }
    }

    /// The line of the item at `position`, where it changes; asked for in order.
    mutating func line(_ line: ArraySlice<UInt8>, at position: Int) -> ArraySlice<UInt8>? {
        guard next < pairs.count, pairs[next].position == position else { return nil }
        defer { next += 1 }
        guard let id = ids[pairs[next].first], let json = JournalLine.json(of: line),
            var record = ItemRecord(json)
        else { return nil }
        record.nameDuplicate(of: id)
        var writer = JSONWriter()
        record.write(into: &writer)
        return writer.bytes[...]
    }
}
