import Notation
import Transport

/// A stretch of a file of lines that is in memory, for those who want many of them in about the
/// order in which they stand there.
struct LineBlock {
    /// The most that is read at once, unless a line is longer.
    private static let lengthLimit = 64 << 10
    private let leastLength: Int
    private var length: Int
    private var start = 0
    private var bytes: [UInt8] = []

    /// - Parameter length: so much is read at once: twice as much each time where one stretch follows
    ///   the other, and as much again behind every jump.
    init(length: Int = 256 << 10) {
        leastLength = length
        self.length = length
    }

    /// The line that begins at `offset`, without its end; empty where none ends.
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

    /// The same as far as it is in memory already.
    func held(at offset: Int64) -> ArraySlice<UInt8>? {
        let first = Int(offset) - start
        guard bytes.indices.contains(first), let end = bytes[first...].lineEnd else { return nil }
        return bytes[first..<end]
    }
}
