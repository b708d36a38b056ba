import Engine
import Notation
import Raster
import Render
import Transport

/// Finds the items whose picture looks like that of an item before them.
///
/// Items are noted as they end, 13 bytes each, and compared in input order once all have ended,
/// so that what is found hangs on the list alone. An item is held against those before it that are
/// like none before themselves, and named after the first that it is like; one with the very bytes
/// of that source is no duplicate to look at, as its `sha256` says so.
struct NearDuplicates {
    /// An item and the one it is like, by their positions in the run.
    struct Pair: Hashable {
        let position: Int
        let first: Int
    }

    /// How many items are like another one, and of how many of them nothing else is said.
    struct Count: Hashable, Sendable {
        var items = 0
        var withNothingElse = 0
    }

    private var hashes: [UInt64]
    /// Those that have one.
    private var isKnown: [Bool]
    /// The beginnings of the digests of the sources.
    private var sources: [UInt32]

    init(count: Int) {
        hashes = Array(repeating: 0, count: count)
        isKnown = Array(repeating: false, count: count)
        sources = Array(repeating: 0, count: count)
    }

    mutating func note(_ record: ItemRecord, at position: Int) {
        guard record.status == .ok, !record.lint.contains(.blank), let source = record.src,
            let gradients = record.gradients
        else { return }
        hashes[position] = gradients
        isKnown[position] = true
        sources[position] = UInt32(source.sha256.prefix(8), radix: 16) ?? 0
    }

    private static func likeness(of thumbHash: String?) -> Likeness? {
        guard let thumbHash else { return nil }
        do throws(Base64Error) {
            return Likeness(thumbHash: try Base64.decode(Array(thumbHash.utf8).span))
        } catch {
            return nil
        }
    }

    /// All of them, in input order.
    ///
    /// A hash is looked up by each of its four quarters: two that differ in three bits have one in
    /// common. Lists of what has a quarter end at 64, and no more than 65,536 pictures are compared
    /// with, so that no list takes long. What is like by its hash is held by its colours too.
    func pairs(in journal: inout Journal) throws(OutletError) -> [Pair] {
        var index = HashIndex()
        var known = KnownLikenesses()
        var pairs: [Pair] = []
        for position in hashes.indices where isKnown[position] {
            let candidates = index.near(hashes[position])
            if candidates.contains(where: { sources[$0] == sources[position] }) { continue }
            if candidates.isEmpty {
                index.add(hashes[position], position)
                continue
            }
            guard let own = try known.likeness(at: position, in: &journal) else { continue }
            var first: Int?
            for candidate in candidates {
                guard let other = try known.likeness(at: candidate, in: &journal),
                    own.isNear(other)
                else { continue }
                first = candidate
                break
            }
            if let first {
                pairs.append(Pair(position: position, first: first))
            } else {
                index.add(hashes[position], position)
            }
        }
        return pairs
    }

    static func count(
        _ pairs: [Pair], in journal: inout Journal
    ) throws(OutletError) -> Count {
        var count = Count(items: pairs.count)
        for pair in pairs where try journal.record(at: pair.position)?.lint.isEmpty ?? true {
            count.withNothingElse += 1
        }
        return count
    }

    /// Likenesses that were read, as far as they fit.
    private struct KnownLikenesses {
        private static let countLimit = 4_096
        private var likenesses: [Int: Likeness?] = [:]

        mutating func likeness(
            at position: Int, in journal: inout Journal
        ) throws(OutletError) -> Likeness? {
            if let known = likenesses[position] { return known }
            let record = try journal.record(at: position)
            let likeness = NearDuplicates.likeness(of: record?.thumbHash)
            if likenesses.count >= Self.countLimit { likenesses.removeAll() }
            likenesses[position] = .some(likeness)
            return likeness
        }
    }
}

/// Hashes and their positions by the quarters of the hashes.
private struct HashIndex {
    private static let countLimit = 65_536
    private static let listLimit = 64

    private struct Entry {
        let hash: UInt64
        let position: Int32
    }

    private var lists: [UInt32: [Entry]] = [:]
    private var count = 0

    /// Positions whose hashes are near this one and have a quarter in common with it, in order.
    func near(_ hash: UInt64) -> [Int] {
        var positions: [Int] = []
        for name in Self.names(hash) {
            for entry in lists[name] ?? []
            where (entry.hash ^ hash).nonzeroBitCount <= GradientHash.nearLimit
                && !positions.contains(Int(entry.position))
            {
                positions.append(Int(entry.position))
            }
        }
        return positions.sorted()
    }

    mutating func add(_ hash: UInt64, _ position: Int) {
        guard count < Self.countLimit, let position = Int32(exactly: position) else { return }
        count += 1
        for name in Self.names(hash) where (lists[name]?.count ?? 0) < Self.listLimit {
            lists[name, default: []].append(Entry(hash: hash, position: position))
        }
    }

    private static func names(_ hash: UInt64) -> [UInt32] {
        (0..<4).map { quarter in
            let bits = UInt32(truncatingIfNeeded: hash >> UInt64(16 * quarter)) & 0xFFFF
            return UInt32(quarter) << 16 | bits
        }
    }
}
