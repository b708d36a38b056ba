import Synchronization

/// The filter tables last made: pictures of a run mostly come in a few sizes and go to the same
/// ones, and a table takes longer to make than a small picture to scale.
///
/// A table depends on its key alone, so nothing shows of this but the time it saves.
final class FilterStock: Sendable {
    static let shared = FilterStock()

    struct Key: Hashable {
        let axis: FilterAxis
        let window: Range<Int>
        let bitsLimit: Int
        let evenStarts: Bool
    }

    private struct Shelf {
        var tables: [Key: FilterTable] = [:]
        /// In the order in which they were made.
        var keys: [Key] = []
    }

    private let shelf = Mutex(Shelf())

    /// Together with the next one a bound of eight megabytes.
    private static let tablesLimit = 192
    private static let wordsLimit = 11 << 10

    /// The table of `key`; made anew where it is not at hand.
    func table(_ key: Key) -> FilterTable {
        if let known = shelf.withLock({ $0.tables[key] }) { return known }
        let table = FilterTable(
            key.axis.shares(for: key.window), bitsLimit: key.bitsLimit, evenStarts: key.evenStarts)
        if table.weights.count <= Self.wordsLimit { keep(table, key) }
        return table
    }

    private func keep(_ table: FilterTable, _ key: Key) {
        shelf.withLock { shelf in
            guard shelf.tables.updateValue(table, forKey: key) == nil else { return }
            shelf.keys.append(key)
            if shelf.keys.count > Self.tablesLimit {
                shelf.tables[shelf.keys.removeFirst()] = nil
            }
        }
    }
}
