import Engine
import Notation
import Render
import Transport

/// Writes into the lines of a manifest which items look like another one.
struct DuplicateNames {
    private let pairs: [NearDuplicates.Pair]
    private var next = 0
    /// What the others are called, by their places.
    private var ids: [Int: String] = [:]

    init(_ pairs: [NearDuplicates.Pair]) { self.pairs = pairs }

    mutating func read(_ journal: inout Journal) throws(OutletError) {
        for pair in pairs where ids[pair.first] == nil {
            ids[pair.first] = try journal.item(at: pair.first)?["id"]?.stringValue
        }
    }

    /// The line of the item at `place`, where it changes; asked for in order.
    mutating func line(_ line: ArraySlice<UInt8>, at place: Int) -> ArraySlice<UInt8>? {
        guard next < pairs.count, pairs[next].place == place else { return nil }
        defer { next += 1 }
        guard let id = ids[pairs[next].first], let json = JournalLine.json(of: line),
            var record = ItemRecord(json, httpStatus: nil, detail: nil)
        else { return nil }
        let place = record.lint.firstIndex { $0.kind > .nearDuplicate } ?? record.lint.endIndex
        record.lint.insert(.nearDuplicate(of: id), at: place)
        var writer = JSONWriter()
        record.write(into: &writer)
        return writer.bytes[...]
    }
}
