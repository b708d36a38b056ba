import Digest
import Notation
import Transport

/// The log of a run: a checksummed line for each item, appended as items end.
///
/// A line is `{"crc":"…","detail":"…","attempts":2,"item":{…}}`: the checksum covers all that follows it, and
/// the item is the line of the manifest to be. Lines stand in the order of their ends; where each
/// item's line begins is kept beside them, so the manifest can be written in input order.
struct Journal: ~Copyable {
    static let name = "\(OutputFolder.ownName)/journal.ndjson"

    private let file: AppendFile
    private var size: Int
    private var pending: [UInt8] = []
    /// The offset of each item's line, or -1.
    private var offsets: [Int64]

    /// Begins an empty journal for a run of `count` items.
    init(count: Int, in folder: OutputFolder) throws(OutletError) {
        let file = try AppendFile(RelativePath(ours: Self.name), in: folder)
        try file.truncate(to: 0)
        self.init(file, count: count)
    }

    private init(_ file: consuming AppendFile, count: Int) {
        self.file = file
        size = 0
        offsets = Array(repeating: -1, count: count)
    }

    /// Adds the line of one item; it may stay in memory until `flush`.
    mutating func append(
        _ record: ItemRecord, attempts: Int = 0, at place: Int
    ) throws(OutletError) {
        var json = JSONWriter()
        json.object { json in
            if let detail = record.failure?.detail, !detail.isEmpty {
                json.member("detail", detail)
            }
            if attempts > 0 { json.member("attempts", attempts) }
            json.name("item")
            record.write(into: &json)
        }
        // The checksum takes the place of the brace that opens the object.
        let rest = [UInt8(ascii: ",")] + json.bytes.dropFirst()
        let crc = CRC32.checksum(rest.span)
        offsets[place] = Int64(size + pending.count)
        pending.append(contentsOf: "{\"crc\":\"\(Hexadecimal.text(crc, width: 8))\"".utf8)
        pending.append(contentsOf: rest)
        pending.append(0x0A)
        if pending.count >= 64 << 10 { try flush() }
    }

    /// Hands what is pending to the system.
    mutating func flush() throws(OutletError) {
        guard !pending.isEmpty else { return }
        try file.append(pending.span)
        size += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Waits until every line is on the disk.
    mutating func sync() throws(OutletError) {
        try flush()
        try file.sync()
    }

    /// Hands each item's part of its line to `body`, in input order, holding one block in memory.
    mutating func forEachItem(
        _ body: (ArraySlice<UInt8>) throws(OutletError) -> Void
    ) throws(OutletError) {
        try flush()
        var block = Block()
        for offset in offsets where offset >= 0 {
            let line = try block.line(at: Int(offset), of: file)
            guard let start = line.firstRange(of: Array(",\"item\":".utf8))?.upperBound else {
                continue
            }
            try body(line[start..<(line.endIndex - 1)])
        }
    }

    /// A stretch of the file that is in memory.
    private struct Block {
        private static let length = 256 << 10
        private var start = 0
        private var bytes: [UInt8] = []

        /// The line that begins at `offset`, without its end.
        mutating func line(at offset: Int, of file: borrowing AppendFile) throws(OutletError)
            -> ArraySlice<UInt8>
        {
            if let line = held(offset) { return line }
            var length = Self.length
            while true {
                start = offset
                bytes = try file.read(at: Int64(offset), count: length)
                if let line = held(offset) { return line }
                guard bytes.count == length else { return [] }
                length *= 2
            }
        }

        private func held(_ offset: Int) -> ArraySlice<UInt8>? {
            guard offset >= start, offset < start + bytes.count else { return nil }
            let first = offset - start
            guard let end = bytes[first...].firstIndex(of: 0x0A) else { return nil }
            return bytes[first..<end]
        }
    }
}
