import Glibc
import System

/// The part of a list that is in memory: a buffer that moves through the file.
///
/// It holds one row at a time; rows longer than the limit are skipped piece by piece.
struct ListWindow {
    static let rowBytesLimit = 1 << 20
    /// The bytes per read when the whole list is read.
    static let blockBytes = 65_536
    /// The bytes of the first read for a single row; most rows are short.
    static let rowBytes = 2_048

    private let file: SharedDescriptor
    private let fileName: String
    private let watch: ListWatch?
    /// The size of the next read, in bytes.
    private var block: Int
    /// The buffer, valid until the next read.
    private(set) var bytes: [UInt8] = []
    /// The index of the first unused byte of `bytes`.
    private(set) var start = 0
    /// The file offset of `start`.
    private(set) var offset: Int64
    /// The line of `start`, counted from one.
    var line: Int
    /// The last quote fault that a `RecordFramer` found.
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

    /// Returns the next byte, after a read if needed; nil at the end.
    mutating func peek() throws(ListError) -> UInt8? {
        if start < bytes.count { return bytes[start] }
        return try more() ? bytes[start] : nil
    }

    /// Reads another block; returns false at the end of the file.
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
        // The check follows the read, so that bytes of a changed file are never used.
        try check()
        return taken > 0
    }

    /// Throws if the list has changed since it was opened.
    func check() throws(ListError) {
        let isUnchanged = try rethrowing(as: failure) { () throws(Errno) in
            try watch?.isUnchanged(file) ?? true
        }
        guard isUnchanged else { throw failure(Errno(ESTALE)) }
    }

    private func failure(_ error: Errno) -> ListError {
        let isChanged = error.code == ESTALE
        return ListError(
            file: fileName, line: line, isChanged ? .changed : .unreadable("\(error)"))
    }

    /// Moves back to the start of a row.
    mutating func rewind(to offset: Int64, line: Int) {
        if offset != self.offset {
            bytes = []
            start = 0
            self.offset = offset
        }
        self.line = line
    }

    /// Moves to a later row in the window; returns false if the row is not in it.
    mutating func move(to offset: Int64, line: Int) -> Bool {
        guard offset >= self.offset, offset - self.offset < count else { return false }
        skip(Int(offset - self.offset))
        self.line = line
        return true
    }
}

/// The position of a row in the file, and of its bytes in the window until the next read.
struct ListFrame {
    let offset: Int64
    let line: Int
    let bytes: Range<Int>
    /// Whether the row is longer than the limit; `bytes` is then empty.
    var isTooLong = false
    /// The line with text after a closing quote; nil if there is no such text.
    var quoteFaultLine: Int?
}

/// The metadata of a list when it was opened, to detect changes.
///
/// A list that changes while it is read would give rows of mixed versions. The metadata is
/// therefore compared after each read, and for each row that is taken from bytes read before.
struct ListWatch: Sendable {
    let facts: FileFacts
    /// Whether the time of the last change to the inode is compared as well; a rename changes it.
    /// When a single row is read again, it is not compared, so that a list may be renamed or
    /// replaced during a run; the digest of the row must match the plan instead.
    var comparesChangeTime = true

    func isUnchanged(_ file: SharedDescriptor) throws(Errno) -> Bool {
        try SystemCalls.facts(of: file.number).haveSameBytes(
            as: facts, sameEntry: comparesChangeTime)
    }
}
