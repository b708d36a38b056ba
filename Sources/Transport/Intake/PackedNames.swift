import Glibc

/// The names in one folder: a few bytes each beside their own, since a folder may hold hundreds of
/// thousands. They lie in blocks, since one array that grew would be copied whole each time, and
/// what it left behind would count as memory of ours.
struct PackedNames {
    /// Far longer than any name.
    private static let blockBytes = 1 << 18

    private var blocks: [[UInt8]] = []
    /// Where each begins: its block, its byte, and how long it is.
    private var entries: [UInt64] = []

    mutating func append(_ name: some Collection<UInt8>) {
        let length = min(name.count, Int(UInt16.max))
        if blocks.last.map({ $0.count + length > Self.blockBytes }) ?? true {
            blocks.append([])
            // The first block of a small folder grows with it.
            if blocks.count > 1 { blocks[blocks.count - 1].reserveCapacity(Self.blockBytes) }
        }
        let block = blocks.count - 1
        entries.append(
            UInt64(block) << 40 | UInt64(blocks[block].count) << 16 | UInt64(length))
        blocks[block].append(contentsOf: name.prefix(length))
    }

    /// Byte order, the first name last.
    mutating func sortBackwards() {
        let blocks = blocks
        entries.sort { left, right in
            let (first, second) = (Self.range(left), Self.range(right))
            let shared = min(first.count, second.count)
            let order = unsafe blocks[Self.block(left)].withUnsafeBufferPointer { left in
                unsafe blocks[Self.block(right)].withUnsafeBufferPointer { right in
                    guard shared > 0, let left = left.baseAddress, let right = right.baseAddress
                    else { return Int32(0) }
                    return unsafe memcmp(
                        left + first.lowerBound, right + second.lowerBound, shared)
                }
            }
            return order == 0 ? first.count > second.count : order > 0
        }
    }

    mutating func popLast() -> ArraySlice<UInt8>? {
        entries.popLast().map { blocks[Self.block($0)][Self.range($0)] }
    }

    private static func block(_ entry: UInt64) -> Int { Int(entry >> 40) }

    private static func range(_ entry: UInt64) -> Range<Int> {
        let start = Int(entry >> 16 & 0xFF_FFFF)
        return start..<start + Int(entry & 0xFFFF)
    }
}
