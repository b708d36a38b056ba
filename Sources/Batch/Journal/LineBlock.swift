import Notation
import Transport

/// A block of a line file in memory, for readers that need many lines in roughly file order.
struct LineBlock {
    /// The limit for one read, unless a line is longer.
    private static let lengthLimit = 64 << 10
    private let leastLength: Int
    private var length: Int
    private var start = 0
    private var bytes: [UInt8] = []

    /// - Parameter length: The size of the first read. It doubles during sequential reading and is
    ///   reset by a jump.
    init(length: Int = 256 << 10) {
        leastLength = length
        self.length = length
    }

    /// Returns the line at `offset` without its line end; empty if there is no line end.
    mutating func line(
        at offset: Int64, of file: borrowing AppendFile
    ) throws(OutletError) -> ArraySlice<UInt8> {
        if let line = held(at: offset) { return line }
        let goesOn = (start...start + bytes.count).contains(Int(offset)) && !bytes.isEmpty
        length = goesOn ? min(2 * length, max(leastLength, Self.lengthLimit)) : leastLength
        var length = length
        while true {
            start = Int(offset)
            bytes = try file.read(at: offset, count: length)
            if let line = held(at: offset) { return line }
            guard bytes.count == length else { return [] }
            length *= 2
        }
    }

    /// Returns the line at `offset` if it is in memory.
    func held(at offset: Int64) -> ArraySlice<UInt8>? {
        let first = Int(offset) - start
        guard bytes.indices.contains(first), let end = bytes[first...].lineEnd else { return nil }
        return bytes[first..<end]
    }
}
