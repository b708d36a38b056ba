import Engine
import Raster
import Render
import Transport

/// Finds items of a merged set whose pictures look like that of an earlier item, across all parts.
struct MergedLikenesses {
    private var index = LikenessIndex()
    /// The pictures that later pictures are compared with, by their positions.
    private var known: [Int: (likeness: Likeness?, id: String)] = [:]
    private var position = 0

    /// Sets the near-duplicate lint of the next item in order.
    ///
    /// - Parameter gradients: The gradient hash from the journal of its part. Without it, the lint
    ///   that the part recorded stays.
    mutating func markDuplicate(_ record: inout ItemRecord, _ gradients: UInt64?) {
        defer { position += 1 }
        record.gradients = gradients
        guard let mark = PictureMark(record) else { return }
        record.lint.removeAll { $0.kind == .nearDuplicate }
        let own = record.likeness
        let place = index.place(mark, at: position) { candidate in
            guard let own, let other = known[candidate]?.likeness else { return false }
            return own.isNear(other)
        }
        switch place {
        case .like(let first):
            if let other = known[first] { record.addNearDuplicate(of: other.id) }
        case .new: known[position] = (own, record.id)
        case .none: break
        }
    }
}

/// The gradient hashes in the journal of a part: 24 bytes per picture.
struct KnownGradients {
    private struct Entry {
        let index: Int32
        let line: Int32
        /// The first 32 bits of the digest of the source.
        let source: UInt32
        let gradients: UInt64
    }

    /// Sorted by index, then by line. The last entry of an index is the valid one.
    private let entries: [Entry]

    init(in folder: FilePath) {
        var entries: [Entry] = []
        JournalRecords.forEach(in: folder) { told in
            guard let gradients = told.gradients, let index = Int32(exactly: told.index),
                let line = Int32(exactly: entries.count)
            else { return }
            entries.append(
                Entry(
                    index: index, line: line, source: Self.beginning(of: told),
                    gradients: gradients))
        }
        self.entries = entries.sorted { ($0.index, $0.line) < ($1.index, $1.line) }
    }

    private static func beginning(of record: ItemRecord) -> UInt32 {
        UInt32(record.src?.sha256.prefix(8) ?? "", radix: 16) ?? 0
    }

    /// Returns the gradient hash of the picture in this record of the manifest.
    func gradients(of record: ItemRecord) -> UInt64? {
        let end = entries.lowerBound(where: { Int($0.index) > record.index })
        guard let last = entries[..<end].last, Int(last.index) == record.index,
            last.source == Self.beginning(of: record)
        else { return nil }
        return last.gradients
    }
}
