import Engine
import Notation
import System
import Transport

/// The reason why sets cannot be merged; exit code 65.
package struct MergeError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// Merges the sets of several runs: the shards of one list, or runs over parts of a list.
///
/// Items of shards are put back in the order of their list. If two sets use the same indices, the
/// sets are appended in the given order, and the indices continue.
package struct SetMerge {
    private let folders: [FilePath]
    /// The first line of all manifests.
    private let head: JSON
    /// Whether the sets are shards of one list: no two different items have the same index.
    package let areShards: Bool
    /// The number of indices before the last one that no item has.
    package let missingCount: Int
    /// The shards of the list that are missing, according to the run records.
    package let missingShards: [Shard]
    private let record: MergedRun

    package init(_ folders: [FilePath]) throws(MergeError) {
        self.folders = folders
        let heads = try folders.map { folder throws(MergeError) in try SetReader(folder).head }
        for (folder, other) in zip(folders, heads).dropFirst() where other != heads[0] {
            let change = Self.difference(heads[0], other)
            throw MergeError(
                description: "\(folder) and \(folders[0]) cannot be merged: \(change)")
        }
        head = heads[0]
        guard TargetRecord.all(of: head).isEmpty else {
            throw MergeError(
                description:
                    "\(folders[0]) has several formats, or was made with --target. Merge sets of "
                    + "one format made without --target, or run the whole list"
            )
        }
        let missing = try Self.missingCount(folders)
        areShards = missing != nil
        missingCount = missing ?? 0
        record = MergedRun(folders)
        if let otherList = record.otherList {
            throw MergeError(
                description: "\(otherList); run every shard over one list, then merge all sets")
        }
        missingShards = areShards ? ShardRecord.missing(beside: record.shards) : []
    }

    private static func difference(_ one: JSON, _ other: JSON) -> String {
        for name in ["schema", "tool", "theme_sha256"] where one[name] != other[name] {
            return name == "theme_sha256" ? "its theme differs" : "its \(name) differs"
        }
        let (first, second) = (one["options"]?.members ?? [], other["options"]?.members ?? [])
        let name = (first + second).map(\.name).first { name in
            first.first { $0.name == name }?.value != second.first { $0.name == name }?.value
        }
        return name.map { "--\($0.replacing("_", with: "-")) differs" } ?? "its options differ"
    }

    /// Returns the number of missing indices; nil if two different items have the same index. All
    /// manifests are read to their end, so that a broken manifest is found before files are copied.
    private static func missingCount(_ folders: [FilePath]) throws(MergeError) -> Int? {
        let readers = try folders.map { folder throws(MergeError) in try SetReader(folder) }
        var last: ItemRecord?
        var missing = 0
        var isOneList = true
        while let reader = earliest(of: readers), let record = reader.next {
            if let last, last.index == record.index, last.text != record.text { isOneList = false }
            missing += max(0, record.index - (last?.index ?? -1) - 1)
            last = record
            try reader.advance()
        }
        return isOneList ? missing : nil
    }

    private static func earliest(of readers: [SetReader]) -> SetReader? {
        readers.filter { $0.next != nil }.min { ($0.next?.index ?? 0) < ($1.next?.index ?? 0) }
    }

    /// Returns the difference for which this set must not replace the set in a folder; nil if it
    /// may.
    package func otherSet(in output: FilePath) -> String? {
        guard let standing = MergedOutputs.head(in: output)?[path: ["options", "component"]],
            let own = head[path: ["options", "component"]], standing != own
        else { return nil }
        return "the first has \(standing.stringValue ?? "")s, the second "
            + "\(own.stringValue ?? "")s"
    }

    /// Copies all outputs into a folder, verifies their hashes, and writes the manifest. If that
    /// fails and the folder had no set before, the copies are removed again.
    ///
    /// - Parameter ledger: The ledger of the folder; it moves away files that no run made.
    /// - Returns: The counts, the number of files of the previous set that are not in this one, and
    ///   the changes since that set.
    package func write(
        into output: OutputFolder, _ ledger: OutputLedger
    ) throws -> (counts: RunCounts, former: Int, changes: SetChanges?) {
        try ledger.beginFromManifest()
        var changes = try ChangesSinceLastRun(in: output)
        let isFirst = MergedOutputs.head(in: output.path) == nil
        var counts = RunCounts()
        var outputs = MergedOutputs(output, ledger)
        var file = try output.newFile(RelativePath(ours: Manifest.name))
        try file.append(Manifest.line(head))
        var likenesses = MergedLikenesses()
        do {
            try forEachItem { reader, record in
                var record = record
                likenesses.markDuplicate(&record, reader.gradients)
                for made in record.outputs { try outputs.copy(made, from: reader.folder) }
                counts.count(record)
                var json = JSONWriter()
                record.write(into: &json)
                changes.see(json.bytes[...])
                json.endLine()
                try file.append(json.take())
            }
        } catch {
            if isFirst { try outputs.removeCopies() }
            throw error
        }
        try file.append(Manifest.summary(counts))
        let found = changes.finish()
        let document = record.document(counts, found)
        try output.write(document.span, to: RelativePath(ours: RunRecorder.name))
        try output.syncAll()
        let former = outputs.former
        try file.commit(sync: true)
        return (counts, former, found)
    }

    private func forEachItem(_ body: (SetReader, ItemRecord) throws -> Void) throws {
        let readers = try folders.map { folder throws(MergeError) in try SetReader(folder) }
        var last = -1
        if areShards {
            while let reader = Self.earliest(of: readers), let record = reader.next {
                if record.index > last { try body(reader, record) }
                last = record.index
                try reader.advance()
            }
            return
        }
        for reader in readers {
            let start = last + 1
            while var record = reader.next {
                record.index += start
                try body(reader, record)
                last = record.index
                try reader.advance()
            }
        }
    }
}

private final class SetReader {
    let folder: FilePath
    let head: JSON
    private(set) var next: ItemRecord?
    private var reader: ManifestReader
    private var whole: ManifestCheck
    private lazy var known = KnownGradients(in: folder)
    /// The gradient hash of the next item's picture, from the journal.
    var gradients: UInt64? { next.flatMap { known.gradients(of: $0) } }

    init(_ folder: FilePath) throws(MergeError) {
        self.folder = folder
        do throws(ManifestError) {
            reader = try ManifestReader(folder: folder)
            head = try reader.next() ?? .null
            whole = ManifestCheck(folder: folder)
            try whole.see(head)
        } catch {
            throw MergeError(description: "\(error)")
        }
        guard head["type"]?.stringValue == "run" else {
            throw MergeError(description: "\(folder)/\(Manifest.name) is not a manifest")
        }
        try advance()
    }

    func advance() throws(MergeError) {
        guard let json = try read() else {
            throw MergeError(
                description: "\(folder): its run did not finish; continue it with --resume")
        }
        if json["type"]?.stringValue == "summary" {
            next = nil
            while try read() != nil {}
            return
        }
        guard let record = ItemRecord(json), json.text == record.text
        else {
            throw MergeError(
                description: "\(folder): another version of the tool wrote its manifest")
        }
        // Indices continue after those of other sets, so they must ascend and stay in range.
        guard record.index > (next?.index ?? -1), record.index < Int(Int32.max),
            record.outputs.allSatisfy({ $0.bytes >= 0 })
        else {
            throw MergeError(
                description:
                    "\(folder): its manifest was changed: item \(record.index) has no valid place")
        }
        next = record
    }

    /// Reads the next record and checks its place in the manifest.
    private func read() throws(MergeError) -> JSON? {
        let json = try rethrowing(reader.next(), as: mergeError)
        if let json { try rethrowing(whole.see(json), as: mergeError) }
        if let fault = whole.faults.first {
            throw MergeError(
                description: "\(folder): its manifest was changed: \(fault); run that part again")
        }
        return json
    }

    private func mergeError(_ error: ManifestError) -> MergeError {
        MergeError(description: "\(folder): \(error)")
    }
}

extension ItemRecord {
    fileprivate var text: String {
        var json = JSONWriter()
        write(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
