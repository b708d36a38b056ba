import Digest
import Engine
import Notation
import Transport

/// The format of a journal line: `{"crc":"…",` and the part that the checksum covers, up to the
/// line end.
enum JournalLine {
    private static let opening = Array("{\"crc\":\"".utf8)
    private static let itemName = Array(",\"item\":".utf8)
    /// The offset of the covered part: the comma after the checksum.
    private static let coveredStart = 17

    /// The kind of a line, with the data that `JournalScan` keeps of it.
    enum Kind {
        case item(high: UInt64)
        case head(JSON)
        /// Files that an item is about to write.
        case announcement
        /// A file that no line of an item has.
        case file
        case end(RunEnd?)
        /// A sync of the run failed.
        case unsynced
        /// A line of another version.
        case other
        case unsound(String)
    }

    /// Returns the line with the members of one object.
    static func bytes(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(members)
        // The checksum replaces the opening brace of the object.
        let covered = [UInt8(ascii: ",")] + json.bytes.dropFirst()
        let crc = Hexadecimal.text(CRC32.checksum(covered.span), width: 8)
        var line = opening
        line.reserveCapacity(covered.count + coveredStart + 1)
        line.append(contentsOf: crc.utf8)
        line.append(UInt8(ascii: "\""))
        line.append(contentsOf: covered)
        line.append(0x0A)
        return line
    }

    static func checksum(of line: ArraySlice<UInt8>) -> String {
        String(decoding: line.dropFirst(8).prefix(8), as: UTF8.self)
    }

    /// Checks a line, given without its line end, and returns its kind.
    static func kind(of line: ArraySlice<UInt8>) -> Kind {
        let start = line.startIndex
        guard line.count > coveredStart, line.prefix(8).elementsEqual(opening) else {
            return .unsound("not a journal line")
        }
        let covered = line[(start + coveredStart)...]
        let crc = CRC32.checksum(covered.span)
        guard
            line[(start + 8)..<(start + 16)].elementsEqual(
                Hexadecimal.text(crc, width: 8).utf8)
        else { return .unsound("the checksum is wrong") }
        if covered.starts(with: ",\"key\":\"".utf8) {
            guard let key = ItemKey(hex: covered.dropFirst(8).prefix(32)) else {
                return .unsound("no key")
            }
            return .item(high: key.high)
        }
        if covered.starts(with: ",\"end\":".utf8) {
            return .end(json(of: line).flatMap { RunEnd($0) })
        }
        if covered.starts(with: ",\"will\":".utf8) { return .announcement }
        if covered.starts(with: ",\"file\":".utf8) { return .file }
        if covered.starts(with: ",\"unsynced\":".utf8) { return .unsynced }
        if covered.starts(with: ",\"begin\":".utf8), let head = json(of: line)?["begin"] {
            return .head(head)
        }
        return .other
    }

    /// Returns the start of the item's object, after `,"item":`. Strings before it cannot contain
    /// these characters, since their quotation marks are escaped.
    static func itemStart(in line: ArraySlice<UInt8>) -> Int? {
        var index = line.startIndex
        while let comma = line[index...].firstIndex(of: UInt8(ascii: ",")) {
            let end = comma + itemName.count
            guard end <= line.endIndex else { return nil }
            if line[comma..<end].elementsEqual(itemName) { return end }
            index = comma + 1
        }
        return nil
    }

    /// Returns the line of files that an item is about to write.
    static func announcement(of files: [OwnedFile]) -> [UInt8] {
        bytes { json in
            json.array("will") { json in
                for file in files { file.write(into: &json) }
            }
        }
    }

    /// Returns the line of a file that no line of an item has.
    static func line(of file: OwnedFile) -> [UInt8] {
        bytes { json in
            json.name("file")
            file.write(into: &json)
        }
    }

    /// Returns the files of an announcement, of a single file, or of an item, also of a build that
    /// writes items differently.
    static func files(of line: ArraySlice<UInt8>) -> [OwnedFile] {
        if let record = ItemLine(line)?.item.record { return record.outputs.map { OwnedFile($0) } }
        guard let json = json(of: line) else { return [] }
        if let item = json["item"] {
            let times = (json["times"]?.elements ?? []).map { $0.intValue.map { Int64($0) } }
            return (item["outputs"]?.elements ?? []).enumerated().compactMap { index, output in
                var file = OwnedFile(output)
                file?.modified = index < times.count ? times[index] : nil
                return file
            }
        }
        return (json["will"]?.elements ?? [json["file"]].compactMap { $0 }).compactMap {
            OwnedFile($0)
        }
    }

    static func json(of line: ArraySlice<UInt8>) -> JSON? {
        try? JSONParser.parse(line.span)
    }
}

/// The last line of a run. It identifies the manifest and so shows the next run that nothing
/// changed.
struct RunEnd: Hashable, Sendable {
    /// The checksum of the run's first line, so that the end of another run is not used.
    let head: String
    /// The manifest's length, time and inode.
    private let manifest: [Int]

    /// Creates the end of a run with the manifest in `folder`; nil if there is no manifest.
    init?(of head: String, in folder: OutputFolder) throws(OutletError) {
        guard let facts = try folder.facts(of: RelativePath(ours: Manifest.name)) else {
            return nil
        }
        self.head = head
        manifest = Self.numbers(facts)
    }

    /// Reads the output of `write`; nil if an earlier version of the tool wrote fewer members.
    init?(_ json: JSON) {
        guard let head = json["head"]?.stringValue,
            let manifest = json["manifest"]?.elements?.compactMap(\.intValue),
            manifest.count == 3
        else { return nil }
        self.head = head
        self.manifest = manifest
    }

    func write(into json: inout JSONWriter) {
        json.member("head", head)
        json.array("manifest") { json in
            for number in manifest { json.write(number) }
        }
    }

    /// Whether the last manifest in `folder` is the file that the run wrote.
    func isOfManifest(in folder: OutputFolder) throws(OutletError) -> Bool {
        try folder.facts(of: LastManifest.currentName(in: folder)).map(Self.numbers) == manifest
    }

    private static func numbers(_ facts: FileFacts) -> [Int] {
        [facts.size, Int(facts.modified), Int(truncatingIfNeeded: facts.identity.inode)]
    }
}
