import Notation
import Transport

/// Reads the items of a finished manifest as glances, in order, and single records by their offset.
///
/// Only one block of the file is in memory. Lines in the tool's own form are not parsed.
final class ManifestGlances {
    /// The run record, which is the first line.
    let head: JSON
    private(set) var count = 0
    private(set) var hasEnded = false
    private var lines: RecordLines

    /// Opens a manifest and reads its first record.
    init(_ path: FilePath) throws(ManifestError) {
        do throws(IntakeError) {
            lines = try RecordLines(path)
        } catch {
            guard case .notFound = error, ManifestReader.hasJournal(path.folder) else {
                throw .unreadable(folder: "\(path.folder)", "\(error)")
            }
            throw .unfinished(folder: "\(path.folder)")
        }
        var check = ManifestCheck(path: path)
        head = try Self.record(Self.line(&lines), at: 1)
        try check.see(head)
        if let fault = check.faults.first { throw .malformed(line: 1, fault) }
    }

    func next() throws(ManifestError) -> ItemGlance? {
        while !hasEnded {
            let place = lines.position
            let line = try Self.line(&lines)
            guard !line.isEmpty else { continue }
            do throws(JSONError) {
                if var glance = try ItemGlance.of(line) {
                    glance.place = place
                    count += 1
                    return glance
                }
            } catch {
                throw .malformed(line: lines.number, error.reason.description)
            }
            let record = try Self.record(line, at: lines.number)
            if record["type"]?.stringValue == "summary" { try finish(record) }
        }
        return nil
    }

    /// Reads the record whose line begins at `place`.
    func record(at place: Int) throws(ManifestError) -> JSON {
        lines.move(to: place)
        return try Self.record(Self.line(&lines), at: lines.number)
    }

    private func finish(_ summary: JSON) throws(ManifestError) {
        hasEnded = true
        guard summary["items"]?.intValue == count else {
            throw .malformed(
                line: lines.number, "its summary has another number of items than \(count)")
        }
    }

    private static func line(
        _ lines: inout RecordLines
    ) throws(ManifestError) -> ArraySlice<UInt8> {
        let line: ArraySlice<UInt8>?
        do throws(RecordLines.Fault) {
            line = try lines.next()
        } catch {
            throw .malformed(line: lines.number, error.reason)
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
        do throws(JSONError) {
            return try JSONParser.parse(line.span)
        } catch {
            throw .malformed(line: number, error.reason.description)
        }
    }
}
