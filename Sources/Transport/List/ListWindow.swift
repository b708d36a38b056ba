import Glibc

/// The part of a list that is in memory: a buffer that moves along the file.
///
/// It holds one row at a time; rows longer than the limit are passed over piece by piece.
struct ListWindow {
    /// Bytes of the longest row.
    static let rowBytesLimit = 1 << 20
    /// Bytes read at a time when the whole list is read.
    static let blockBytes = 65_536
    /// Bytes read at first where a single row is asked for, as most are short.
    static let rowBytes = 2_048

    private let file: SharedDescriptor
    private let fileName: String
    private let watch: ListWatch?
    private var block: Int
    /// Valid until the next call that reads.
    private(set) var bytes: [UInt8] = []
    /// The first byte of `bytes` that is still to be used.
    private(set) var start = 0
    /// Where `start` lies in the file.
    private(set) var offset: Int64
    /// The line on which `start` lies, counted from one.
    var line: Int
    /// The last field of several lines that had text after its closing quote.
    var quoteFault: QuoteFault?

    init(
        _ file: SharedDescriptor, named name: String, at offset: Int64, line: Int, block: Int,
        watch: ListWatch? = nil
    ) {
        self.file = file
        self.watch = watch
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
        let end = offset + Int64(bytes.count)
        let taken: Int
        do throws(Errno) {
            taken = try unsafe bytes.appendBytes(block) { buffer throws(Errno) in
                try unsafe SystemCalls.read(file.number, at: end, into: buffer)
            }
        } catch {
            throw failure(error)
        }
        block = min(block * 4, max(block, Self.blockBytes))
        // Looked at behind the bytes, so that they are those of the file that was opened.
        try check()
        return taken > 0
    }

    /// Throws if somebody wrote to the list since it was opened.
    func check() throws(ListError) {
        let isUnchanged = try Errno.converting(failure) { () throws(Errno) in
            try watch?.isUnchanged(file) ?? true
        }
        guard isUnchanged else { throw failure(Errno(ESTALE)) }
    }

    private func failure(_ error: Errno) -> ListError {
        let isChanged = error.code == ESTALE
        return ListError(
            file: fileName, line: line, isChanged ? .changed : .unreadable("\(error)"))
    }

    /// Returns to a row that began before `start`.
    mutating func rewind(to offset: Int64, line: Int) {
        if offset != self.offset {
            bytes = []
            start = 0
            self.offset = offset
        }
        self.line = line
    }

    /// Goes on to a row that lies further on in the window; false where it does not.
    mutating func move(to offset: Int64, line: Int) -> Bool {
        guard offset >= self.offset, offset - self.offset < count else { return false }
        skip(Int(offset - self.offset))
        self.line = line
        return true
    }
}

/// Where one row lies: in the file, and in the window until it reads again.
struct ListFrame {
    let offset: Int64
    let line: Int
    let bytes: Range<Int>
    /// The row was longer than the limit; `bytes` holds none of it.
    var isTooLong = false
    /// The line of a closing quote with text after it.
    var quoteFaultLine: Int?
}

/// How the file of a list looked when it was opened, for the file must not change while it is read.
///
/// A list that somebody writes to would give rows that are made of two, so a look at the file
/// follows each read, and each row that is taken again from bytes that were read before.
struct ListWatch: Sendable {
    let facts: FileFacts
    /// The time of its entry counts too. A row that is read again is compared with what was planned
    /// by its digest, so that a list may be renamed or replaced while a run goes on.
    var isStrict = true

    func isUnchanged(_ file: SharedDescriptor) throws(Errno) -> Bool {
        try SystemCalls.facts(of: file.number).haveSameBytes(as: facts, sameEntry: isStrict)
    }
}
