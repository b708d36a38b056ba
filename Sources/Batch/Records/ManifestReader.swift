import Engine
import Notation
import Transport

/// Reads the records of a manifest, one after the other.
package struct ManifestReader: ~Copyable {
    private var lines: RecordLines

    /// Opens the manifest in the output folder at `path`.
    package init(folder path: FilePath) throws(ManifestError) {
        do throws(IntakeError) {
            lines = try RecordLines(path.appending(FilePath(Manifest.name)))
        } catch {
            guard case .notFound = error, Self.hasJournal(path) else {
                throw .unreadable(folder: "\(path)", "\(error)")
            }
            throw .unfinished(folder: "\(path)")
        }
    }

    /// A run has begun there.
    static func hasJournal(_ folder: FilePath) -> Bool {
        (try? OpenFile(folder.appending(FilePath("\(RunHistory.name)")))) != nil
    }

    /// The next record, or `nil` after the last.
    package mutating func next() throws(ManifestError) -> JSON? {
        while let line = try nextLine() {
            guard !line.isEmpty else { continue }
            do throws(JSONError) {
                return try JSONParser.parse(Array(line).span)
            } catch {
                throw .malformed(line: lines.number, error.reason.description)
            }
        }
        return nil
    }

    /// The next record of an item, or `nil` after the last; what is none is passed by.
    mutating func nextItem() throws(ManifestError) -> ItemRecord? {
        while let json = try next() {
            if let record = ItemRecord(json) { return record }
        }
        return nil
    }

    private mutating func nextLine() throws(ManifestError) -> ArraySlice<UInt8>? {
        do throws(RecordLines.Fault) {
            return try lines.next()
        } catch {
            throw .malformed(line: lines.number, error.reason)
        }
    }
}

/// Why a manifest could not be read.
package enum ManifestError: Error, Hashable, Sendable {
    case unreadable(folder: String, String)
    /// There is a journal, and no manifest yet.
    case unfinished(folder: String)
    case malformed(line: Int, String)
    /// What it says that it is, if anything.
    case otherSchema(path: String, String?)
}

extension ManifestError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let folder, let reason):
            "cannot read \(folder)/\(Manifest.name): \(reason). Run 'emblem batch … -o "
                + "\(folder)' first"
        case .unfinished(let folder):
            "\(folder) has no \(Manifest.name), because its run has not finished. Wait for it, or "
                + "run 'emblem batch … -o \(folder) --resume' with the same inputs and options"
        case .malformed(let line, let reason):
            "\(Manifest.name), line \(line): \(reason)"
        case .otherSchema(let path, let schema):
            "\(path) \(schema.map { "is of the schema \($0)" } ?? "names no schema"), but this "
                + "release reads \(Manifest.schema). Use the release that wrote it, or run the "
                + "batch again"
        }
    }
}
