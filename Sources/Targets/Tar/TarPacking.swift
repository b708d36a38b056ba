/// How pictures are divided into archives.
package enum TarPacking: Hashable, Sendable {
    /// As many items as fit into so many bytes; at least one.
    case bytes(Int)
    /// So many archives of equally many items, as nearly as may be.
    case count(Int)

    package static let usual = TarPacking.bytes(1 << 30)
}
