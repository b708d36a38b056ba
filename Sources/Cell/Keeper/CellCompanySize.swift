/// How many small orders go to a cell at once, by how long the last ones took: so many that the way
/// there and back is little beside the work, and so few that nobody waits long for the others.
package struct CellCompanySize {
    /// The most.
    package static let limit = 16
    /// The processors' time that a company shall take.
    private static let wanted: UInt64 = 16_000_000
    /// What goes alone for a while is tried together again after some that were quick.
    private static let most = 8 * wanted

    /// What one of them takes, the last ones counting most.
    private var usual: UInt64 = wanted / 4

    package init() {}

    package var size: Int { min(max(Int(Self.wanted / max(usual, 1)), 1), Self.limit) }

    /// - Parameter nanoseconds: what the processors worked for one; nil where that came to no end,
    ///   after which each goes alone for a while.
    package mutating func note(_ nanoseconds: UInt64?) {
        guard let nanoseconds else {
            usual = Self.most
            return
        }
        usual = (usual * 7 + min(nanoseconds, Self.most)) / 8
    }
}
