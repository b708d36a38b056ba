import Glibc

/// The part of a list that is in memory: a buffer that moves along the file.
///
/// It holds one row at a time; rows longer than the limit are passed over piece by piece.
struct ListWindow {
    /// Bytes of the longest row.
    static let rowBytesLimit = 1 << 20
    /// Bytes read at a time when the whole list is read.
    static let blockBytes = 65_536

    private let file: SharedDescriptor
    private let fileName: String
    private var block: Int
    /// Valid until the next call that reads.
    private(set) var bytes: [UInt8] = []
    /// The first byte of `bytes` that is still to be used.
    private(set) var start = 0
    /// Where `start` lies in the file.
    private(set) var offset: Int64
    /// The line on which `start` lies, counted from one.
    var line: Int

    init(_ file: SharedDescriptor, named name: String, at offset: Int64, line: Int, block: Int) {
        self.file = file
        fileName = name
        self.block = block
        self.offset = offset
        self.line = line
    }

    var count: Int { bytes.count - start }

    /// Marks bytes as used; they stay readable until the next read.
    mutating func skip(_ count: Int) {
        start += count
        offset += Int64(count)
    }

    /// The next byte, read from the file if need be; nil at the end.
    mutating func peek() throws(ListError) -> UInt8? {
        if start < bytes.count { return bytes[start] }
        return try more() ? bytes[start] : nil
    }

    /// Brings in another block behind what is there; false at the end of the file.
    mutating func more() throws(ListError) -> Bool {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        let place = offset + Int64(bytes.count)
        do throws(Errno) {
            let taken = try unsafe bytes.appendBytes(block) { buffer throws(Errno) in
                try unsafe SystemCalls.read(file.number, at: place, into: buffer)
            }
            // A single row is read in small blocks at first: most rows are short.
            block = min(block * 4, max(block, Self.blockBytes))
            return taken > 0
        } catch {
            throw ListError(file: fileName, line: line, .unreadable("\(error)"))
        }
    }
}

/// Where one row lies: in the file, and in the window until it reads again.
struct ListFrame {
    let offset: Int64
    let line: Int
    let bytes: Range<Int>
    /// The row was longer than the limit; `bytes` holds none of it.
    var isTooLong = false
}
