import System

/// The filter tables last used: pictures of a run mostly come in a few sizes and go to the same
/// ones, and a table takes longer to make than a small picture to scale.
enum FilterCache {
    struct Key: Hashable {
        let axis: FilterAxis
        let window: Range<Int>
        let bitsLimit: Int
        let evenStarts: Bool
    }

    /// Together with the next one a bound of eight megabytes.
    private static let tables = BoundedCache<Key, FilterTable>(countLimit: 768)
    private static let wordsLimit = 11 << 8

    /// The table of `key`; made anew where it is not at hand.
    static func table(_ key: Key) -> FilterTable {
        if let known = tables.value(for: key) { return known }
        let table = FilterTable(
            key.axis.shares(for: key.window), bitsLimit: key.bitsLimit, evenStarts: key.evenStarts)
        if table.weights.count <= wordsLimit { tables.keep(table, for: key) }
        return table
    }
}
