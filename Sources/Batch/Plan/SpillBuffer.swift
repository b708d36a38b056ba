import System
import Transport

/// A sequence of records: in memory while it is short, then in a scratch file.
struct SpillBuffer: Sendable {
    private static let tailBytes = 65_536

    private let folder: FilePath
    private let limit: Int
    private var file: ScratchFile?
    /// The records after the first `stored` bytes.
    private var tail: [UInt8] = []
    private var stored: Int64 = 0

    /// Keeps up to `limit` bytes in memory.
    init(in folder: FilePath, limit: Int) {
        self.folder = folder
        self.limit = limit
    }

    var count: Int64 { stored + Int64(tail.count) }

    /// Adds one record and returns its offset.
    mutating func append(_ record: some Collection<UInt8>) throws(PlanError) -> Int64 {
        let offset = count
        tail.append(contentsOf: record)
        if tail.count >= (file == nil ? limit : Self.tailBytes) { try flush() }
        return offset
    }

    mutating func patch(_ bytes: [UInt8], at offset: Int64) throws(PlanError) {
        guard offset >= stored else {
            try rethrowing(file?.write(bytes.span, at: offset), as: PlanError.scratch)
            return
        }
        let start = Int(offset - stored)
        for (index, byte) in bytes.enumerated() where start + index < tail.count {
            tail[start + index] = byte
        }
    }

    /// Reads up to `count` bytes; fewer at the end of the scratch file or of the buffer.
    func read(at offset: Int64, count: Int) throws(PlanError) -> [UInt8] {
        if offset >= stored {
            let start = min(Int(offset - stored), tail.count)
            return Array(tail[start..<min(start + count, tail.count)])
        }
        var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), stored - offset)))
        let taken = try rethrowing(file?.read(into: &bytes, at: offset), as: PlanError.scratch) ?? 0
        bytes.removeLast(bytes.count - taken)
        return bytes
    }

    /// Writes the records in memory to the scratch file.
    mutating func flush() throws(PlanError) {
        guard !tail.isEmpty else { return }
        if file == nil { file = try rethrowing(ScratchFile(in: folder), as: PlanError.scratch) }
        try rethrowing(file?.write(tail.span, at: stored), as: PlanError.scratch)
        stored += Int64(tail.count)
        tail.removeAll(keepingCapacity: true)
    }
}

extension [UInt8] {
    /// Appends a word in little-endian order.
    mutating func append(word: UInt32) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    mutating func append(word: UInt64) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    init(word: UInt32) {
        self = unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe Array($0) }
    }
}
