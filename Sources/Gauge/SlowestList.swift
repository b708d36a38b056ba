/// The few items that took longest, whatever the order in which they ended.
package struct SlowestList: Sendable {
    /// An item and how long it took.
    package struct Entry: Hashable, Sendable {
        /// The index in the input, which breaks ties.
        package var index: Int
        /// What the item is called in the record.
        package var name: String
        /// From its first step to its last.
        package var nanoseconds: UInt64
    }

    private let limit: Int
    /// Slowest first; equal times in the order of their index.
    package private(set) var entries: [Entry] = []

    /// An empty list that will hold at most `limit` items.
    package init(limit: Int = 10) {
        self.limit = max(0, limit)
    }

    /// `name` is only asked for when the item makes it into the list.
    package mutating func record(index: Int, nanoseconds: UInt64, name: @autoclosure () -> String) {
        let isBefore = { (entry: Entry) in
            entry.nanoseconds > nanoseconds
                || (entry.nanoseconds == nanoseconds && entry.index < index)
        }
        let rank = entries.firstIndex { !isBefore($0) } ?? entries.count
        guard rank < limit else { return }
        entries.insert(Entry(index: index, name: name(), nanoseconds: nanoseconds), at: rank)
        if entries.count > limit { entries.removeLast() }
    }
}
