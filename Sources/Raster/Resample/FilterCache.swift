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

    private static let tables = BoundedCache<Key, FilterTable>(
        countLimit: 768, weightLimit: 8 << 20)
    /// Larger ones are seldom wanted twice.
    private static let bytesLimit = 64 << 10

    /// The table of `key`; made anew where it is not at hand.
    static func table(_ key: Key) -> FilterTable {
        if let known = tables.value(for: key) { return known }
        let table = FilterTable(
            key.axis.shares(for: key.window), bitsLimit: key.bitsLimit, evenStarts: key.evenStarts)
        let bytes = table.byteCount
        if bytes <= bytesLimit { tables.keep(table, for: key, weight: bytes) }
        return table
    }
}
