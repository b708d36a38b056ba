/// The eight bytes a PNG begins with, and what transfers as text make of them.
package enum PNGSignature: Sendable {
    /// All eight bytes are right.
    case whole
    /// The file ends inside the eight bytes, four or more of which are there.
    case cut
    /// Surely meant as a PNG, but the bytes were changed on the way.
    case damaged
    /// Something else.
    case none

    static let count = 8
    static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Judges the beginning of `bytes`.
    package init(of bytes: Span<UInt8>) {
        var equal = 0
        while equal < min(bytes.count, Self.count), bytes[equal] == Self.bytes[equal] {
            equal += 1
        }
        if equal == Self.count {
            self = .whole
        } else if equal == bytes.count, equal >= 4 {
            self = .cut
        } else if Self.isNearlyThere(bytes) {
            self = .damaged
        } else {
            self = .none
        }
    }

    /// The name of the first chunk stands near its offset, after at least two letters of "PNG".
    private static func isNearlyThere(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 16 else { return false }
        var letters = 0
        for index in 1...3 where bytes[index] == Self.bytes[index] { letters += 1 }
        guard letters >= 2 else { return false }
        for start in 10...min(18, bytes.count - 4)
        where UInt32(truncatingIfNeeded: bytes.bigEndian32(at: start)) == PNGChunk.header {
            return true
        }
        return false
    }
}
