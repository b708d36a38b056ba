import Digest
import Engine
import Notation
import Synchronization
import Targets
import Transport

/// The files that runs made in an output folder OUT and in the folders of its targets.
///
/// A `LedgerFile` is a path, the size and digest that a run left there, and the target that owns
/// it. The ledger consists of the records in the table. This type writes `outputs.ndjson`; it only
/// reads the other records. It needs eight bytes of memory per file, and only after a run has found
/// a file at the path of an output.
///
/// | record | files |
/// |---|---|
/// | journal | the outputs of items that ended (`RunHistory`) |
/// | `outputs.ndjson` | outputs that are about to be written, and outputs that their item no longer has |
/// | manifest, `former.ndjson` | files about all items (`FormerSet`) |
/// | `targets.json`, `target.json` | target folders outside OUT, and the sets that own them (`TargetFolders`) |
///
/// **Invariants**
///
/// 1. A file is announced in `outputs.ndjson` before it is written. The announcement ends when the
///    journal has the item, so a killed run leaves no file that no record has.
/// 2. A file belongs to a run if a record has its path and its size. A file in a folder outside OUT
///    belongs to a run only if the last run into OUT wrote to that folder.
/// 3. A run replaces a file that belongs to a run, or that has the bytes to be written. Any other
///    file is the failure of its item, or of the run if the file is about all items.
/// 4. An interrupted run may lack announcements: those that a power loss destroyed, and those of
///    files about items. A file that is newer than that run counts as its file.
/// 5. The manifest is renamed, and the rename is synced, before the first file that it names
///    changes (`LastManifest`).
/// 6. `--prune` removes a file only if a record has it, no item of this run and no other set has
///    it, and it has the bytes that the run left (`Orphans`). A changed file stays and is counted.
/// 7. A record forgets a file only after the file is gone and its folder was synced.
package final class OutputLedger: Sendable {
    private struct Announced: ~Copyable {
        var file: AppendFile?
        var size = 0
        /// The size of the file after it was last rewritten, in bytes.
        var base = 0
        /// The files of earlier runs that no item of the journal has, by their keys.
        var leftovers: [String: LedgerFile] = [:]
        /// The files of items that the journal does not have yet, by the index of the item.
        var open: [Int: [LedgerFile]] = [:]

        var bytes: [UInt8] {
            let earlier =
                leftovers.isEmpty ? [] : line(of: leftovers.values.sorted { $0.key < $1.key })
            return open.values.reduce(earlier) { $0 + line(of: $1) }
        }
    }

    private struct Known {
        /// Whether the records were read. Until then, every file counts as made by a run.
        var isRead = false
        var history: RunHistory?
        /// The hashes of files that the journal does not list.
        var others: [UInt64] = []
        /// The targets whose folder outside OUT the last run did not write to.
        var fresh: Set<TargetKind> = []
        /// The targets of earlier runs. No record lists the files that they have about single
        /// items.
        var targets: [TargetRecord] = []
        /// The targets of an interrupted run, which may have written such files.
        var interrupted: [TargetRecord] = []
        /// The index of all files, built when the path of an output is first found to be taken, and
        /// that of the files in the manifest, built if the first lacks a file.
        var index: NameIndex?
        var manifest: NameIndex?
    }

    private static let name = RelativePath.own("outputs.ndjson")
    /// The growth of `outputs.ndjson`, in bytes, after which it is rewritten without the files that
    /// the journal lists.
    private static let growthBytes = 256 << 10
    private static let bytesLimit = 4 << 20
    /// The number of files in `Announced.leftovers` at which no more files are added. Files that no
    /// record lists stay in the folder.
    private static let leftoversLimit = 8_192

    private let folder: OutputFolder
    private let announced = Mutex(Announced())
    private let known = Mutex(Known())

    package init(_ folder: OutputFolder) { self.folder = folder }

    // MARK: Begin and end of a run

    /// Reads which files earlier runs made, before the run writes its first file.
    ///
    /// - Parameter opened: the targets of this run, before it claims their folders.
    func begin(_ history: RunHistory?, _ opened: [OpenTarget]) throws(OutletError) {
        let leftovers = Self.leftovers(in: folder)
        try announced.withLock { announced throws(OutletError) in
            announced.leftovers = leftovers
            announced.open = [:]
            // A line that was cut off would make the next line unreadable.
            if leftovers.isEmpty { try folder.remove(Self.name) } else { try rewrite(&announced) }
        }
        guard let history else { return }
        let others = leftovers.values.map { $0.hash() }
        if history.run == nil { try checkRecords() }
        let former = try FormerSet(in: folder).targets
        var begun: [TargetRecord] = []
        if let options = history.run?.options {
            begun = TargetRecord.all(of: .object([JSON.Member("options", options)]))
        }
        var fresh: Set<TargetKind> = []
        for other in opened where other.root.isElsewhere {
            if try TargetFolders.isKnown(other.root.folder, to: folder) { continue }
            fresh.insert(other.target.kind)
        }
        known.withLock { [begun, fresh, others] known in
            known = Known(
                isRead: true, history: history, others: others, fresh: fresh,
                targets: history.isUnfinished ? former : former + begun,
                interrupted: history.isUnfinished ? begun : [])
        }
    }

    /// Throws if the records in the folder are files of another program.
    private func checkRecords() throws(OutletError) {
        for file in [RunFile.manifest, .previousManifest, .record] {
            try checkPlace(of: RelativePath(ours: file.name), unless: "\"emblem.")
        }
    }

    /// Returns the outputs in the last manifest; none if it cannot be read.
    private func manifestIndex() -> NameIndex {
        var hashes: [UInt64] = []
        if let name = try? LastManifest.currentName(in: folder),
            var reader = try? ManifestReader(folder.path.appending(FilePath(name.text)))
        {
            while let record = (try? reader.nextItem()) ?? nil {
                hashes += record.outputs.map { LedgerFile($0).hash() }
            }
        }
        return NameIndex(hashes)
    }

    /// Ends the run.
    ///
    /// - Parameter leftovers: the files of earlier runs that stay announced; nil to keep all
    ///   announced files.
    func end(keeping leftovers: [LedgerFile]? = nil) {
        // An announcement that is no longer needed does no harm, because the file's digest is
        // checked before removal.
        ignoringErrors { () throws(OutletError) in
            try announced.withLock { announced throws(OutletError) in
                if let leftovers {
                    announced.leftovers = Dictionary(
                        leftovers.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
                }
                if announced.leftovers.isEmpty, announced.open.isEmpty {
                    announced.file = nil
                    try folder.remove(Self.name)
                } else {
                    try rewrite(&announced)
                }
            }
        }
    }

    // MARK: Announcements

    /// The files that earlier runs announced, and the former files that this run announced so far.
    var leftovers: [LedgerFile] { announced.withLock { Array($0.leftovers.values) } }

    /// Returns the files that earlier runs into `folder` announced, by their keys.
    static func leftovers(in folder: OutputFolder) -> [String: LedgerFile] {
        guard let size = try? folder.facts(of: name)?.size, size <= bytesLimit,
            let bytes = try? folder.read(name, limit: bytesLimit)
        else {
            // Without readable announcements, the files stay in the folder.
            return [:]
        }
        let files = bytes.split(separator: 0x0A).flatMap { line in
            (JournalLine.json(of: line)?["outputs"]?.elements ?? []).compactMap {
                LedgerFile($0)
            }
        }
        return Dictionary(files.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    func announce(_ files: [LedgerFile], of index: Int) throws(OutletError) {
        guard !files.isEmpty else { return }
        // The file is written under the lock, so that lines do not mix.
        try announced.withLock { announced throws(OutletError) in
            try append(files, to: &announced)
            announced.open[index] = files
        }
    }

    /// Announces files that an item had in an earlier run and no longer has. The journal no longer
    /// lists them.
    func announceFormer(_ files: [LedgerFile]) {
        // If the write fails, no record lists the files, so they stay in the folder.
        ignoringErrors { () throws(OutletError) in
            try announced.withLock { announced throws(OutletError) in
                guard announced.leftovers.count < Self.leftoversLimit else { return }
                for file in files { announced.leftovers[file.key] = file }
                try append(files, to: &announced)
            }
        }
    }

    /// Ends the announcement of an item that the journal has. A failed item may have written some
    /// of its files before, so its announcement stays.
    func settle(_ record: ItemRecord) {
        guard record.status != .failed else { return }
        announced.withLock { announced in
            announced.open[record.index] = nil
            guard !announced.leftovers.isEmpty else { return }
            for output in record.outputs { announced.leftovers[LedgerFile(output).key] = nil }
        }
    }

    private func append(
        _ files: [LedgerFile], to announced: inout Announced
    ) throws(OutletError) {
        if announced.size > announced.base + Self.growthBytes { try rewrite(&announced) }
        if announced.file == nil { announced.file = try AppendFile(Self.name, in: folder) }
        let line = Self.line(of: files)
        try announced.file?.append(line.span)
        announced.size += line.count
    }

    private func rewrite(_ announced: inout Announced) throws(OutletError) {
        let bytes = announced.bytes
        announced.file = nil
        try folder.write(bytes.span, to: Self.name)
        announced.file = try AppendFile(Self.name, in: folder)
        announced.size = bytes.count
        announced.base = bytes.count
    }

    private static func line(of files: [LedgerFile]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("outputs") { json in
                for file in files { file.write(into: &json) }
            }
        }
        json.endLine()
        return json.take()
    }

    // MARK: Existing files at the paths of outputs

    /// Throws if an output would replace a file that no run made, unless the file has the bytes of
    /// the output.
    ///
    /// - Parameter there: The existing file.
    func checkPlace(
        for output: LedgerFile, at path: RelativePath, in folder: OutputFolder, _ there: FileFacts
    ) throws(OutletError) {
        guard path.components.first != OutputFolder.ownName, !isOfRun(output, there) else { return }
        if there.size == output.bytes, try folder.digest(of: path)?.hex == output.sha256 { return }
        throw .foreign(path: folder.display(path))
    }

    /// Throws if a text about the pictures of a target would replace a file that no run made: no
    /// earlier run into OUT had this target, or that run was interrupted and the file is older.
    func checkPlace(
        of name: RelativePath, _ opened: OpenTarget, _ there: FileFacts
    ) throws(OutletError) {
        let isNew = known.withLock { known in
            guard let history = known.history else { return false }
            let isElsewhere = opened.root.isElsewhere
            if isElsewhere, known.fresh.contains(opened.target.kind) { return true }
            let prefix = isElsewhere ? nil : opened.root.prefix
            let isSame = { (target: TargetRecord) in
                target.kind == opened.target.kind && target.prefix == prefix
            }
            if known.targets.contains(where: isSame) { return false }
            return !known.interrupted.contains(where: isSame) || there.modified < history.began
        }
        if isNew { throw .foreign(path: opened.root.folder.display(name)) }
    }

    /// Throws if a file in OUT is not a record or a page of a run.
    ///
    /// - Parameter word: a text near the beginning of such a record or page.
    package func checkPlace(of name: RelativePath, unless word: String) throws(OutletError) {
        guard try folder.exists(name), try !isPage(name, with: word) else { return }
        throw .foreign(path: folder.display(name))
    }

    /// Returns whether a file in OUT has `word` near its beginning.
    package func isPage(_ name: RelativePath, with word: String) throws(OutletError) -> Bool {
        guard let (head, _) = try folder.beginning(of: name, limit: 4_096) else { return false }
        return String(decoding: head, as: UTF8.self).contains(word)
    }

    /// Returns whether the output goes to a folder outside OUT that the last run did not write to.
    func isFresh(_ output: LedgerFile) -> Bool {
        guard output.isElsewhere, let kind = output.owner.flatMap(TargetKind.init) else {
            return false
        }
        return known.withLock { $0.fresh.contains(kind) }
    }

    /// Returns whether a run left a file of this size under the name of an output. A file of
    /// another size was changed by its user.
    private func isOfRun(_ output: LedgerFile, _ there: FileFacts) -> Bool {
        if isFresh(output) { return false }
        // The lock is held while the journal is read, since other outputs need the same index.
        return known.withLock { known in
            guard known.isRead else { return true }
            if let history = known.history, history.lostPower, there.modified >= history.began {
                return true
            }
            let names = known.index ?? Self.index(of: known)
            known.index = names
            if names.contains(output.hash(size: there.size)) { return true }
            let others = known.manifest ?? manifestIndex()
            known.manifest = others
            return others.contains(output.hash(size: there.size))
        }
    }

    private static func index(of known: Known) -> NameIndex {
        var hashes = known.others
        known.history?.forEachOutput { hashes.append(LedgerFile($0).hash()) }
        return NameIndex(hashes)
    }

    // MARK: Reading without a run

    /// Calls `body` with each file outside `out` that the records in `out` have.
    static func forEachFileElsewhere(
        of out: OutputFolder, _ body: (LedgerFile) -> Void
    ) throws(OutletError) {
        let former = try FormerSet(in: out)
        let files = leftovers(in: out).values + former.documents.flatMap(\.ledgerFiles)
        files.filter(\.isElsewhere).forEach(body)
        try RunHistory.existing(in: out)?.forEachWrittenItem { record in
            LedgerFile.all(of: record, former.targets).filter(\.isElsewhere).forEach(body)
        }
    }

    private func ignoringErrors(_ body: () throws(OutletError) -> Void) {
        try? body()
    }
}
