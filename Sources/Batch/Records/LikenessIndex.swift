import Engine
import Notation
import Raster
import Render

/// A short fingerprint that shows whether two pictures may look alike.
struct PictureMark {
    let gradients: UInt64
    /// The first 32 bits of the digest of the source.
    let source: UInt32

    init(gradients: UInt64, source: UInt32) {
        self.gradients = gradients
        self.source = source
    }

    /// Creates the mark of an item with a picture that is not blank.
    init?(_ record: ItemRecord) {
        guard record.status == .ok, !record.lint.contains(.blank), let source = record.src,
            let gradients = record.gradients
        else { return nil }
        self.gradients = gradients
        self.source = UInt32(source.sha256.prefix(8), radix: 16) ?? 0
    }
}

/// An index of original pictures by the four 16-bit parts of their gradient hashes.
///
/// A hash is looked up by each of its parts. Two hashes that differ in at most three bits have at
/// least one equal part. A list for a part has at most 64 entries, and the index has at most 65,536
/// pictures, so that no lookup takes long. Pictures with similar hashes are also compared by their
/// colours.
struct LikenessIndex {
    /// The result of comparing a picture.
    enum Place {
        /// The picture looks like the one at this position.
        case like(Int)
        /// The picture is an original; later pictures are compared with it.
        case new
        /// The picture has the same bytes as another one, or the index is full.
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

    /// Finds the first picture that looks like the picture at `position`. Calls must pass ascending
    /// positions.
    ///
    /// - Parameter isNear: Returns whether the colours are also similar to those of the picture at
    ///   the given position.
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

    /// Returns the entries with a similar hash and an equal part, by ascending position.
    private func near(_ mark: PictureMark) -> [Entry] {
        var found: [Entry] = []
        for key in Self.keys(of: mark.gradients) {
            for entry in lists[key] ?? []
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
        for key in Self.keys(of: mark.gradients) where (lists[key]?.count ?? 0) < Self.listLimit {
            lists[key, default: []].append(Entry(mark: mark, position: position))
        }
        return true
    }

    /// Returns the keys of a hash in `lists`: each 16-bit part, after its number from 0 to 3.
    private static func keys(of hash: UInt64) -> [UInt32] {
        (0..<4).map { quarter in
            let bits = UInt32(truncatingIfNeeded: hash >> UInt64(16 * quarter)) & 0xFFFF
            return UInt32(quarter) << 16 | bits
        }
    }
}

extension ItemRecord {
    var likeness: Likeness? {
        guard let thumbHash, let hash = try? Base64.decode(Array(thumbHash.utf8).span) else {
            return nil
        }
        return Likeness(thumbHash: hash)
    }

    mutating func addNearDuplicate(of id: String) {
        let index = lint.firstIndex { $0.kind > .nearDuplicate } ?? lint.endIndex
        lint.insert(.nearDuplicate(of: id), at: index)
    }
}
