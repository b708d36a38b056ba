import Engine
import Notation
import Raster
import Render
import Transport

/// Finds the items whose picture looks like that of an earlier item.
///
/// Items are noted as they end, 13 bytes each, and compared in input order after all have ended, so
/// the result depends only on the list. An item is compared with the originals before it, and is a
/// duplicate of the first one that it looks like. An item with the same source bytes as an original
/// is not reported, because equal `sha256` values show it.
struct NearDuplicates {
    /// An item and the original that it looks like, by their positions in the run.
    struct Pair: Hashable {
        let position: Int
        let first: Int
    }

    /// The number of duplicates, and the number of those without any other lint.
    struct Count: Hashable, Sendable {
        var items = 0
        var withoutOtherLint = 0
    }

    private var gradients: [UInt64]
    private var sources: [UInt32]
    /// Whether the item at a position has values in `gradients` and `sources`.
    private var isKnown: [Bool]

    init(count: Int) {
        gradients = Array(repeating: 0, count: count)
        sources = Array(repeating: 0, count: count)
        isKnown = Array(repeating: false, count: count)
    }

    mutating func note(_ record: ItemRecord, at position: Int) {
        guard let mark = PictureMark(record) else { return }
        let missing = position + 1 - isKnown.count
        if missing > 0 {
            gradients.append(contentsOf: repeatElement(0, count: missing))
            sources.append(contentsOf: repeatElement(0, count: missing))
            isKnown.append(contentsOf: repeatElement(false, count: missing))
        }
        gradients[position] = mark.gradients
        sources[position] = mark.source
        isKnown[position] = true
    }

    func pairs(in journal: inout Journal) throws(OutletError) -> [Pair] {
        var index = LikenessIndex()
        var known = KnownLikenesses()
        var pairs: [Pair] = []
        for position in isKnown.indices where isKnown[position] {
            let mark = PictureMark(gradients: gradients[position], source: sources[position])
            let place = try index.place(mark, at: position) { candidate throws(OutletError) in
                guard let own = try known.likeness(at: position, in: &journal),
                    let other = try known.likeness(at: candidate, in: &journal)
                else { return false }
                return own.isNear(other)
            }
            if case .like(let first) = place {
                pairs.append(Pair(position: position, first: first))
            }
        }
        return pairs
    }

    static func count(
        _ pairs: [Pair], in journal: inout Journal
    ) throws(OutletError) -> Count {
        var count = Count(items: pairs.count)
        for pair in pairs where try journal.record(at: pair.position)?.lint.isEmpty ?? true {
            count.withoutOtherLint += 1
        }
        return count
    }

    /// A bounded cache of likenesses that were read from the journal.
    private struct KnownLikenesses {
        private static let countLimit = 4_096
        private var likenesses: [Int: Likeness?] = [:]

        mutating func likeness(
            at position: Int, in journal: inout Journal
        ) throws(OutletError) -> Likeness? {
            if let known = likenesses[position] { return known }
            let likeness = try journal.record(at: position)?.likeness
            if likenesses.count >= Self.countLimit { likenesses.removeAll() }
            likenesses[position] = .some(likeness)
            return likeness
        }
    }
}

/// Adds the lint of duplicates to the lines of a manifest.
struct DuplicateNames {
    private let pairs: [NearDuplicates.Pair]
    private var next = 0
    /// The ids of the originals, by their positions.
    private var ids: [Int: String] = [:]

    init(_ pairs: [NearDuplicates.Pair]) { self.pairs = pairs }

    mutating func read(_ journal: inout Journal) throws(OutletError) {
        for pair in pairs where ids[pair.first] == nil {
            ids[pair.first] = try journal.record(at: pair.first)?.id
        }
    }

    /// Returns the new line of the item at `position`, or nil if it does not change. Positions must
    /// ascend.
    mutating func line(_ line: ArraySlice<UInt8>, at position: Int) -> ArraySlice<UInt8>? {
        guard next < pairs.count, pairs[next].position == position else { return nil }
        defer { next += 1 }
        guard let id = ids[pairs[next].first], let json = JournalLine.json(of: line),
            var record = ItemRecord(json)
        else { return nil }
        record.addNearDuplicate(of: id)
        var writer = JSONWriter()
        record.write(into: &writer)
        return writer.bytes[...]
    }
}
