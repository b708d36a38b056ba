import Glibc
import Synchronization

/// The alpha planes last written, as libwebp packed them: the emblems of a run mostly have the
/// same rounded corners, and packing a plane takes as long as coding a small picture's colours.
///
/// What is packed depends on the plane alone, so nothing shows of this but the time it saves.
final class WebPAlphaStock: Sendable {
    static let shared = WebPAlphaStock()

    private struct Entry {
        let width: Int
        let plane: [UInt8]
        let packed: [UInt8]

        func isSame(_ plane: borrowing Span<UInt8>, _ width: Int) -> Bool {
            guard self.width == width, self.plane.count == plane.count else { return false }
            return unsafe plane.withUnsafeBufferPointer { other in
                unsafe self.plane.withUnsafeBufferPointer { own in
                    guard let first = own.baseAddress, let second = other.baseAddress else {
                        return own.isEmpty
                    }
                    return unsafe memcmp(first, second, own.count) == 0
                }
            }
        }
    }

    /// The one used last comes last.
    private let entries = Mutex<[Entry]>([])

    /// Four layouts at three scales and some more; together with the next one two megabytes.
    private static let entriesLimit = 16
    /// Larger planes are seldom met twice.
    private static let planeBytesLimit = 128 << 10

    /// What an `ALPH` chunk holds for this plane, if it was packed before.
    func packed(_ plane: Span<UInt8>, width: Int) -> [UInt8]? {
        entries.withLock { entries in
            guard let index = entries.lastIndex(where: { $0.isSame(plane, width) }) else {
                return nil
            }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.packed
        }
    }

    func keep(_ packed: [UInt8], of plane: Span<UInt8>, width: Int) {
        guard plane.count <= Self.planeBytesLimit else { return }
        let copy = unsafe plane.withUnsafeBufferPointer { unsafe Array($0) }
        entries.withLock { entries in
            guard !entries.contains(where: { $0.isSame(plane, width) }) else { return }
            if entries.count == Self.entriesLimit { entries.removeFirst() }
            entries.append(Entry(width: width, plane: copy, packed: packed))
        }
    }
}
