import Digest
import Engine
import Notation
import Transport

/// The journal line of one item, `{"crc":"…","key":"…",…,"item":{…}}`, as it was read.
struct ItemLine: Sendable {
    /// The line without its line end.
    private let bytes: ArraySlice<UInt8>
    let key: ItemKey
    var item: PastItem
    private let attempts: Int
    var offset: Int64 = 0

    /// The line of an item that has ended, without its line end.
    struct Ended: Sendable {
        let bytes: ArraySlice<UInt8>
        /// The offset of the same line among the lines of the last run; nil if that run has another
        /// line.
        let offsetInLastRun: Int64?
    }

    /// Returns the line of an item that has ended: the old line if it has the same contents.
    static func of(_ end: JobResult, _ key: ItemKey, past: ItemLine?) -> Ended {
        guard let past else { return Ended(bytes: bytes(end, key), offsetInLastRun: nil) }
        if !past.equalsLine(of: end, key) {
            let fresh = bytes(end, key)
            guard fresh == past.bytes else { return Ended(bytes: fresh, offsetInLastRun: nil) }
        }
        // After network requests a new line is written, so that a resumed run does not repeat them.
        let stands = past.item.isOfLastRun && end.network.attempts == 0
        return Ended(bytes: past.bytes, offsetInLastRun: stands ? past.offset : nil)
    }

    /// Returns the line of the item with another record and key.
    func changed(to record: ItemRecord, _ key: ItemKey) -> Ended {
        let own = SeenSource(seen: item.seen, sourceIndex: item.sourceIndex)
        return Ended(
            bytes: Self.bytes(record, own, item.dark, attempts, key), offsetInLastRun: nil)
    }

    private static func bytes(_ end: JobResult, _ key: ItemKey) -> ArraySlice<UInt8> {
        let own = SeenSource(seen: end.seen, sourceIndex: end.sourceIndex)
        return bytes(end.record, own, end.dark, end.network.attempts, key)
    }

    private static func bytes(
        _ record: ItemRecord, _ own: SeenSource, _ dark: SeenSource, _ attempts: Int,
        _ key: ItemKey
    ) -> ArraySlice<UInt8> {
        JournalLine.bytes { json in
            json.member("key", key.hex)
            if let seen = own.seen { seen.write("seen", into: &json) }
            if own.sourceIndex > 0 { json.member("via", own.sourceIndex) }
            if let seen = dark.seen { seen.write("seen_dark", into: &json) }
            if dark.sourceIndex > 0 { json.member("via_dark", dark.sourceIndex) }
            if !record.outputs.isEmpty {
                json.array("times") { json in
                    for output in record.outputs { json.write(Int(output.modified)) }
                }
            }
            if let detail = record.failure?.detail, !detail.isEmpty {
                json.member("detail", detail)
            }
            if attempts > 0 { json.member("attempts", attempts) }
            json.name("item")
            record.write(into: &json)
        }.dropLast()
    }

    private func equalsLine(of end: JobResult, _ key: ItemKey) -> Bool {
        !item.isRetimed && key == self.key && end.seen == item.seen
            && end.sourceIndex == item.sourceIndex && end.dark == item.dark
            && end.network.attempts == attempts && end.record.isWritten(like: item.record)
    }

    /// Reads a line with a valid checksum; nil for a line that this build would write differently.
    ///
    /// - Parameters:
    ///   - bytes: The line without its line end.
    ///   - isOfRun: Whether the resumed run wrote it.
    init?(_ bytes: ArraySlice<UInt8>, isOfRun: Bool = false) {
        var json = WrittenJSON(bytes.span)
        guard let line = try? ItemLine(bytes, &json, isOfRun) else { return nil }
        self = line
    }

    private init(
        _ bytes: ArraySlice<UInt8>, _ json: inout WrittenJSON, _ isOfRun: Bool
    ) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        _ = try json.string("crc")
        guard let key = ItemKey(hex: try json.string("key").utf8) else {
            throw WrittenJSON.Otherwise()
        }
        let seen = json.has("seen") ? try SeenFile(&json) : nil
        let sourceIndex = json.has("via") ? try json.int() : nil
        let seenDark = json.has("seen_dark") ? try SeenFile(&json) : nil
        let darkIndex = json.has("via_dark") ? try json.int() : nil
        let times = json.has("times") ? try Self.times(&json) : nil
        let detail = json.has("detail") ? try json.string() : nil
        let attempts = json.has("attempts") ? try json.int() : nil
        try json.name("item")
        var record = try ItemRecord(&json, detail: detail)
        try json.endObject()
        // Empty and zero values are never written, so they are invalid.
        guard json.isAtEnd, sourceIndex ?? 1 > 0, darkIndex ?? 1 > 0, detail != "",
            attempts ?? 1 > 0, times?.isEmpty != true, times?.count ?? 0 == record.outputs.count
        else { throw WrittenJSON.Otherwise() }
        for index in record.outputs.indices { record.outputs[index].modified = times?[index] ?? 0 }
        self.bytes = bytes
        self.key = key
        self.attempts = attempts ?? 0
        item = PastItem(
            record: record, seen: seen, sourceIndex: sourceIndex ?? 0, isOfRun: isOfRun)
        item.dark = SeenSource(seen: seenDark, sourceIndex: darkIndex ?? 0)
    }

    private static func times(
        _ json: inout WrittenJSON
    ) throws(WrittenJSON.Otherwise) -> [Int64] {
        var times: [Int64] = []
        try json.beginArray()
        while try json.nextElement() { times.append(Int64(try json.int())) }
        return times
    }
}

extension PastItem {
    /// Checks which outputs are unchanged on disk, and their times. An output that cannot be
    /// checked counts as missing and is made again.
    ///
    /// - Parameter trustsTimes: Whether size and time are enough to trust the bytes of an output.
    mutating func checkOutputs(in outlet: Outlet, trustsTimes: Bool) {
        var unchanged: [OutputRecord] = []
        unchanged.reserveCapacity(record.outputs.count)
        for index in record.outputs.indices {
            var output = record.outputs[index]
            guard let path = RelativePath(output.path), let folder = outlet.folder(of: output),
                let time = folder.time(
                    of: path, bytes: output.bytes, sha256: output.sha256,
                    modified: output.modified, trustsTimes: trustsTimes)
            else { continue }
            if time != output.modified {
                output.modified = time
                record.outputs[index] = output
                isRetimed = true
            }
            unchanged.append(output)
        }
        unchangedOutputs = unchanged
    }
}
