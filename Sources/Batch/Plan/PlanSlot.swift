/// The plan's data about one item: the position of its row, and its name.
struct PlanSlot: Hashable, Sendable {
    static let byteCount = 32

    /// The offset of the row in its list, or of the data of the item in `PlanDraft.paths`.
    var offset: Int64
    /// The line of the row; 0 if there is none.
    var line: UInt32
    /// The index of the input that the item comes from.
    var origin: UInt32
    /// The form of the name. 0: the wanted name. 1: with a suffix. From 2 on: with a suffix and
    /// this number.
    var number: UInt32 = 0
    /// The first item with the same files, which owns the name; usually the item itself.
    var leader: UInt32
    /// The hash of the row.
    var digest: UInt64

    static let numberOffset: Int64 = 16
    static let leaderOffset: Int64 = 20

    init(offset: Int64, line: UInt32, origin: UInt32, leader: UInt32, digest: UInt64) {
        self.offset = offset
        self.line = line
        self.origin = origin
        self.leader = leader
        self.digest = digest
    }

    init(_ bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> UInt64 {
            bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        offset = Int64(bitPattern: number(0..<8))
        line = UInt32(truncatingIfNeeded: number(8..<12))
        origin = UInt32(truncatingIfNeeded: number(12..<16))
        self.number = UInt32(truncatingIfNeeded: number(16..<20))
        leader = UInt32(truncatingIfNeeded: number(20..<24))
        digest = number(24..<32)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(word: UInt64(bitPattern: offset))
        bytes.append(word: line)
        bytes.append(word: origin)
        bytes.append(word: number)
        bytes.append(word: leader)
        bytes.append(word: digest)
        return bytes
    }
}
