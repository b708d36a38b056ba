import Notation
import System
import Transport

/// Reads the items of a finished manifest as `ItemDigest` values, in order, and single records by
/// their offset.
///
/// Only one block of the file is in memory. Lines in the tool's own form are not parsed.
final class ManifestItems {
    /// The run record, which is the first line.
    let head: JSON
    private(set) var itemCount = 0
    private var hasEnded = false
    private var lines: RecordLines

    init(_ path: FilePath) throws(ManifestError) {
        lines = try ManifestReader.lines(of: path, in: path.folder)
        var check = ManifestCheck(path: path)
        head = try Self.record(Self.line(&lines), at: 1)
        try check.see(head)
        if let fault = check.faults.first { throw .malformed(line: 1, fault) }
    }

    func next() throws(ManifestError) -> ItemDigest? {
        while !hasEnded {
            let offset = lines.position
            let line = try Self.line(&lines)
            guard !line.isEmpty else { continue }
            let number = lines.number
            let item = try rethrowing(ItemDigest.of(line)) { (error: JSONError) in
                ManifestError(line: number, error)
            }
            if var item {
                item.offset = offset
                itemCount += 1
                return item
            }
            let record = try Self.record(line, at: number)
            if record["type"]?.stringValue == "summary" { try finish(record) }
        }
        return nil
    }

    func record(at offset: Int) throws(ManifestError) -> JSON {
        lines.move(to: offset)
        return try Self.record(Self.line(&lines), at: lines.number)
    }

    private func finish(_ summary: JSON) throws(ManifestError) {
        hasEnded = true
        guard summary["items"]?.intValue == itemCount else {
            throw .malformed(
                line: lines.number, "its summary has another number of items than \(itemCount)")
        }
    }

    private static func line(
        _ lines: inout RecordLines
    ) throws(ManifestError) -> ArraySlice<UInt8> {
        let line = try rethrowing(lines.next()) { (error: RecordLines.Fault) in
            ManifestError.malformed(line: lines.number, error.reason)
        }
        guard let line else {
            throw .malformed(
                line: lines.number, "it has no summary, so its run did not finish")
        }
        return line
    }

    private static func record(
        _ line: ArraySlice<UInt8>, at number: Int
    ) throws(ManifestError) -> JSON {
        try rethrowing(JSONParser.parse(line.span)) { (error: JSONError) in
            ManifestError(line: number, error)
        }
    }
}
