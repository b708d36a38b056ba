import Engine
import Notation
import Synchronization
import Transport

/// What outputs are about to be called, noted until the journal tells of them.
///
/// A run that is killed between the two leaves files that no record names. The next run finds them
/// here: those that hold the bytes noted are files of an earlier run. It costs a short line for each
/// item that is written, and nothing for those that are taken over.
final class OutputNotes: Sendable {
    /// One output.
    struct Entry: Sendable, Hashable {
        let path: String
        let target: String?
        let isElsewhere: Bool
        let bytes: Int
        let sha256: String

        /// What tells its name from those in other folders.
        var key: String { OutputNotes.key(path, target, isElsewhere) }
    }

    private struct State: ~Copyable {
        var file: AppendFile?
        var size = 0
        /// How much of it was still of use when it was last written anew.
        var base = 0
        /// Of earlier runs, by their keys.
        var left: [String: Entry] = [:]
        /// Of items that the journal does not tell of yet, by their index.
        var open: [Int: [Entry]] = [:]

        var bytes: [UInt8] {
            let earlier = left.isEmpty ? [] : line(of: left.values.sorted { $0.key < $1.key })
            return open.values.reduce(earlier) { $0 + line(of: $1) }
        }
    }

    private static let name = RelativePath.own("outputs.ndjson")
    /// What is settled is left out once the file has grown by as much.
    private static let growthBytes = 256 << 10
    private static let bytesLimit = 4 << 20
    /// Of more than these, what is left behind is known to the run alone that leaves it.
    private static let leftLimit = 8_192

    private let folder: OutputFolder
    private let state = Mutex(State())

    init(_ folder: OutputFolder) { self.folder = folder }

    /// What runs that were killed noted in `folder`, by their keys.
    static func left(in folder: OutputFolder) -> [String: Entry] {
        do throws(OutletError) {
            guard let size = try folder.facts(of: name)?.size, size <= bytesLimit,
                let bytes = try folder.read(name, limit: bytesLimit)
            else { return [:] }
            var entries: [String: Entry] = [:]
            for line in bytes.split(separator: 0x0A) {
                for json in JournalLine.json(of: line)?["outputs"]?.elements ?? [] {
                    guard let entry = Entry(json) else { continue }
                    entries[entry.key] = entry
                }
            }
            return entries
        } catch {
            // Files that are not known stay where they are.
            return [:]
        }
    }

    /// What earlier runs left, once this one has begun.
    var left: [Entry] { state.withLock { Array($0.left.values) } }

    /// What earlier runs left; it stays noted until `end`.
    func begin() throws(OutletError) -> [Entry] {
        let left = Self.left(in: folder)
        try state.withLock { state throws(OutletError) in
            state.left = left
            state.open = [:]
            // A line that was cut off would spoil the next.
            if left.isEmpty { try folder.remove(Self.name) } else { try rewrite(&state) }
        }
        return Array(left.values)
    }

    /// Notes what the item at `index` is about to write.
    func note(_ entries: [Entry], of index: Int) throws(OutletError) {
        guard !entries.isEmpty else { return }
        // The file is written under the lock, so that its lines stand one after the other.
        try state.withLock { state throws(OutletError) in
            try append(entries, to: &state)
            state.open[index] = entries
        }
    }

    private func append(_ entries: [Entry], to state: inout State) throws(OutletError) {
        if state.size > state.base + Self.growthBytes { try rewrite(&state) }
        if state.file == nil { state.file = try AppendFile(Self.name, in: folder) }
        let line = Self.line(of: entries)
        try state.file?.append(line.span)
        state.size += line.count
    }

    /// Notes what an item had, and has no more: from now on the journal does not tell of it.
    func leave(_ entries: [Entry]) {
        do throws(OutletError) {
            try state.withLock { state throws(OutletError) in
                guard state.left.count < Self.leftLimit else { return }
                for entry in entries { state.left[entry.key] = entry }
                try append(entries, to: &state)
            }
        } catch {
            // Files that are not known stay where they are.
        }
    }

    /// The journal tells of the item now, and of its outputs. One that failed may have written some
    /// of them before, of which only the notes tell.
    func settle(_ record: ItemRecord) {
        guard record.status != .failed else { return }
        state.withLock { state in
            state.open[record.index] = nil
            guard !state.left.isEmpty else { return }
            for output in record.outputs { state.left[output.key] = nil }
        }
    }

    /// Ends a run; `left` of earlier runs is kept for the next one, and whatever is not settled.
    func end(keeping left: [Entry]? = nil) {
        do throws(OutletError) {
            try state.withLock { state throws(OutletError) in
                if let left {
                    state.left = Dictionary(left.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
                }
                if state.left.isEmpty, state.open.isEmpty {
                    state.file = nil
                    try folder.remove(Self.name)
                } else {
                    try rewrite(&state)
                }
            }
        } catch {
            // What is noted too much is held against its digest by whoever reads it.
        }
    }

    private func rewrite(_ state: inout State) throws(OutletError) {
        let bytes = state.bytes
        state.file = nil
        try folder.write(bytes.span, to: Self.name)
        state.file = try AppendFile(Self.name, in: folder)
        state.size = bytes.count
        state.base = bytes.count
    }

    private static func line(of entries: [Entry]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("outputs") { json in
                for entry in entries { entry.write(into: &json) }
            }
        }
        json.endLine()
        return json.take()
    }

    static func key(_ path: String, _ target: String?, _ isElsewhere: Bool) -> String {
        "\(isElsewhere ? target ?? "files" : "") \(path)"
    }
}

extension OutputNotes.Entry {
    init(_ output: OutputRecord) {
        self.init(
            path: output.path, target: output.target, isElsewhere: output.isElsewhere,
            bytes: output.bytes, sha256: output.sha256)
    }

    fileprivate init?(_ json: JSON) {
        guard let path = json["path"]?.stringValue, let bytes = json["bytes"]?.intValue,
            let sha256 = json["sha256"]?.stringValue
        else { return nil }
        self.init(
            path: path, target: json["target"]?.stringValue,
            isElsewhere: json["elsewhere"]?.boolValue ?? false, bytes: bytes, sha256: sha256)
    }

    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            if let target { json.member("target", target) }
            if isElsewhere { json.member("elsewhere", true) }
            json.member("bytes", bytes)
            json.member("sha256", sha256)
        }
    }
}

extension OutputRecord {
    /// What tells its name from those in other folders.
    var key: String { OutputNotes.key(path, target, isElsewhere) }
}
