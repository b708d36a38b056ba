import Engine
import Notation
import Raster
import Render

/// What tells at a glance whether two pictures may be alike.
struct PictureMark {
    let gradients: UInt64
    /// The beginning of the digest of the source.
    let source: UInt32

    init(gradients: UInt64, source: UInt32) {
        self.gradients = gradients
        self.source = source
    }

    /// Of an item that shows a picture with something to see.
    init?(_ record: ItemRecord) {
        guard record.status == .ok, !record.lint.contains(.blank), let source = record.src,
            let gradients = record.gradients
        else { return nil }
        self.gradients = gradients
        self.source = UInt32(source.sha256.prefix(8), radix: 16) ?? 0
    }
}

/// Pictures that are like none before them, by the quarters of their hashes.
///
/// A hash is looked up by each of its four quarters: two that differ in three bits have one in
/// common. Lists of what has a quarter end at 64, and no more than 65,536 pictures are compared
/// with, so that no list takes long. What is like by its hash is held by its colours too.
struct LikenessIndex {
    /// What became of a picture.
    enum Place {
        /// It is like the one at this position.
        case like(Int)
        /// Later ones are compared with it.
        case new
        /// It has the very bytes of another one, or there is no room.
        case none
    }

    private static let countLimit = 65_536
    private static let listLimit = 64

    private struct Entry {
        let mark: PictureMark
        let position: Int32
    }

    private var lists: [UInt32: [Entry]] = [:]
    private var count = 0

    /// Finds the first picture that the one at `position` is like; positions ascend.
    ///
    /// - Parameter isNear: the colours, too, are like those of the one at this position.
    mutating func place<Failure: Error>(
        _ mark: PictureMark, at position: Int, isNear: (Int) throws(Failure) -> Bool
    ) throws(Failure) -> Place {
        let candidates = near(mark)
        if candidates.contains(where: { $0.mark.source == mark.source }) { return .none }
        for candidate in candidates where try isNear(Int(candidate.position)) {
            return .like(Int(candidate.position))
        }
        return add(mark, position) ? .new : .none
    }

    /// Those whose hashes are near this one and have a quarter in common with it, in order.
    private func near(_ mark: PictureMark) -> [Entry] {
        var found: [Entry] = []
        for name in Self.names(mark.gradients) {
            for entry in lists[name] ?? []
            where (entry.mark.gradients ^ mark.gradients).nonzeroBitCount <= GradientHash.nearLimit
                && !found.contains(where: { $0.position == entry.position })
            {
                found.append(entry)
            }
        }
        return found.sorted { $0.position < $1.position }
    }

    private mutating func add(_ mark: PictureMark, _ position: Int) -> Bool {
        guard count < Self.countLimit, let position = Int32(exactly: position) else { return false }
        count += 1
        for name in Self.names(mark.gradients) where (lists[name]?.count ?? 0) < Self.listLimit {
            lists[name, default: []].append(Entry(mark: mark, position: position))
        }
        return true
    }

    private static func names(_ hash: UInt64) -> [UInt32] {
        (0..<4).map { quarter in
            let bits = UInt32(truncatingIfNeeded: hash >> UInt64(16 * quarter)) & 0xFFFF
            return UInt32(quarter) << 16 | bits
        }
    }
}

extension ItemRecord {
    /// Its picture's proportions and colours.
    var likeness: Likeness? {
        guard let thumbHash else { return nil }
        do throws(Base64Error) {
            return Likeness(thumbHash: try Base64.decode(Array(thumbHash.utf8).span))
        } catch {
            return nil
        }
    }

    /// Says that its picture looks like that of the item `id`.
    mutating func nameDuplicate(of id: String) {
        let index = lint.firstIndex { $0.kind > .nearDuplicate } ?? lint.endIndex
        lint.insert(.nearDuplicate(of: id), at: index)
    }
}
