import Digest
import Engine
import Notation
import Targets
import Transport

/// Files that earlier runs into a folder made and the last one does not make any more.
///
/// Only files count that stand as they were left: what somebody changed since is theirs.
package struct Orphans: Sendable {
    /// What becomes of them.
    package enum Treatment: Sendable, Hashable {
        /// They are counted.
        case count
        /// The files are removed, with the folders that are empty then, unless they are more than this
        /// part of the files of earlier runs.
        case remove(atMost: Tolerance)
        /// Nobody looks, since the run was over a part of what makes the set.
        case ignore
    }

    private struct File: Sendable {
        let folder: OutputFolder
        let path: RelativePath
        let isElsewhere: Bool

        /// Pictures that are kept for archives lie in our own corner, where nobody sees them.
        var isOwn: Bool { !isElsewhere && path.components.first == OutputFolder.ownName }
        var text: String { isElsewhere ? folder.display(path) : path.text }

        var stands: Bool {
            do throws(OutletError) { return try folder.exists(path) } catch { return false }
        }
    }

    private var files: [File] = []
    /// There is nothing to remove.
    var isEmpty: Bool { files.isEmpty }
    /// Those that no journal tells of.
    private(set) var unrecorded: [OutputNotes.Entry] = []
    /// Pictures in folders beside OUT that the run does not name, where nothing is touched.
    package private(set) var unnamedCount = 0

    /// Files that no item makes any more and that changed since a run wrote them.
    package private(set) var changedCount = 0
    /// The files by whose number `--prune-max` judges, once there is one to remove.
    private(set) var base: PruneBase?
    /// The numbers by which `--prune-max` judges: see `PruneBase`.
    private(set) var judged = (removed: 0, of: 0)
    /// Why the files were not removed; nil where they were removed, or only counted.
    package var withheld: Withheld?

    /// Those that somebody can see: as they stand below OUT, or with the folder beside it.
    package var paths: [String] { files.filter { !$0.isOwn }.map(\.text) }

    /// - Parameters:
    ///   - former: what earlier runs made beside pictures, and this one does not.
    ///   - base: reads the files by whose number `--prune-max` judges; nil where nothing is removed.
    ///   - made: hands over the items of the run.
    init(
        of history: RunHistory, in outlet: Outlet,
        former: FormerSet = FormerSet(), base: (() throws(OutletError) -> PruneBase)? = nil,
        made: ((ItemRecord) -> Void) throws(OutletError) -> Void
    ) throws(OutletError) {
        var found: [String: File] = [:]
        // Of those that this run has not, and that stood below OUT.
        let dropped = former.targets.filter { $0.prefix != nil }
        var unnamed: Set<String> = []
        var changed: Set<String> = []
        history.forEachUnasked { record in
            for output in record.outputs where outlet.folder(of: output) == nil {
                unnamed.insert("\(output.target ?? "") \(output.path)")
            }
            let all = Self.files(of: record, in: outlet) + Self.files(of: record, dropped, outlet)
            for (file, isOurs) in all {
                if isOurs() {
                    found[file.text] = file
                } else if !file.isOwn, file.stands {
                    changed.insert(file.text)
                }
            }
        }
        let unreachable = outlet.notes.left.filter { outlet.folder(of: $0) == nil }
        for entry in unreachable { unnamed.insert("\(entry.target ?? "") \(entry.path)") }
        unnamedCount = unnamed.count
        for target in former.documents {
            for document in target.files {
                if let file = Self.file(of: target, document, in: outlet) {
                    found[file.text] = file
                }
            }
        }
        let noted = outlet.notes.left.compactMap { entry in
            Self.file(of: entry, in: outlet.folder(of: entry)).map { (entry, $0) }
        }
        for (_, file) in noted { found[file.text] = file }
        unrecorded = unreachable
        guard !found.isEmpty || !changed.isEmpty else { return }
        try outlet.forEachFileOfOthers { path, folder in
            let name = folder.display(path)
            found[name] = nil
            changed.remove(name)
        }
        let base = try base?()
        self.base = base
        var again: Set<String> = []
        try made { record in
            for (file, _) in Self.files(of: record, in: outlet) {
                found[file.text] = nil
                changed.remove(file.text)
                if base?.holds(file.text) == true { again.insert(file.text) }
            }
        }
        changedCount = changed.subtracting(found.keys).count
        if let base {
            let removed = found.keys.count { base.holds($0) }
            judged = (removed, removed + again.count)
        }
        files = found.values.sorted { $0.text < $1.text }
        unrecorded += noted.filter { found[$0.1.text] != nil }.map(\.0)
    }

    /// What a run that makes `planned`, below OUT, would leave of what stands there.
    package init(in folder: OutputFolder, planned: Set<String>) throws(OutletError) {
        guard let history = try RunHistory.standing(in: folder) else { return }
        let base = try PruneBase(in: folder) { add in
            history.forEachOutput { if $0.target == nil, !$0.isElsewhere { add($0.path) } }
        }
        var found: [String: File] = [:]
        for entry in OutputNotes.left(in: folder).values
        where !entry.isElsewhere && entry.target == nil {
            guard !planned.contains(entry.path), let file = Self.file(of: entry, in: folder) else {
                continue
            }
            found[file.text] = file
        }
        var kept: Set<String> = []
        history.forEachUnasked { record in
            for output in record.outputs where output.target == nil && !output.isElsewhere {
                guard !planned.contains(output.path) else {
                    if base.holds(output.path) { kept.insert(output.path) }
                    continue
                }
                guard let path = RelativePath(output.path), output.stands(path, in: folder)
                else { continue }
                found[path.text] = File(folder: folder, path: path, isElsewhere: false)
            }
        }
        let removed = found.keys.count { base.holds($0) }
        judged = (removed, removed + kept.count)
        files = found.values.sorted { $0.text < $1.text }
    }

    /// Takes the files away.
    func remove(from folder: OutputFolder) throws(OutletError) {
        // After a power loss, the manifest before this one must not be back and name these files.
        if !files.isEmpty { try folder.syncFolder(of: RelativePath(ours: Manifest.name)) }
        for file in files {
            try file.folder.remove(file.path)
            file.folder.removeEmptyFolders(of: file.path)
        }
        // A file that comes back after a power loss must still be known.
        try BackgroundSync.run(files.map(\.folder))
        if !files.isEmpty || unnamedCount + changedCount > 0 {
            try RunHistory.dropEarlierRuns(in: folder)
        }
    }

    /// Hands over the names of all files that runs made of items and that can be seen.
    static func forEachName(
        of history: RunHistory, in outlet: Outlet, _ body: (String) -> Void
    ) {
        history.forEachWrittenItem { record in
            for (file, _) in files(of: record, in: outlet) where !file.isOwn { body(file.text) }
        }
    }

    /// The pictures of an item and what targets say of it alone, and whether each stands as it was
    /// left.
    private static func files(
        of record: ItemRecord, in outlet: Outlet
    ) -> [(file: File, isOurs: () -> Bool)] {
        var files: [(File, () -> Bool)] = []
        for output in record.outputs {
            guard let path = RelativePath(output.path), let folder = outlet.folder(of: output)
            else { continue }
            let file = File(folder: folder, path: path, isElsewhere: output.isElsewhere)
            files.append((file, { output.stands(path, in: folder) }))
        }
        for opened in outlet.targets where opened.target.kind != .files {
            let item = TargetItem(record, in: opened.target.kind, prefix: opened.pictures.prefix)
            for file in opened.target.files(of: item) {
                guard let path = opened.files.path(file.path) else { continue }
                let folder = opened.files.folder
                files.append(
                    (
                        File(folder: folder, path: path, isElsewhere: opened.files.isElsewhere),
                        { holds(file.bytes, path, in: folder) }
                    ))
            }
        }
        return files
    }

    /// What an item had that it has no more: its pictures, and what targets said of it alone.
    static func left(
        of past: ItemRecord, by now: ItemRecord, in outlet: Outlet
    ) -> [OutputNotes.Entry] {
        let kept = Set(entries(of: now, in: outlet).map(\.key))
        return entries(of: past, in: outlet).filter { !kept.contains($0.key) }
    }

    private static func entries(of record: ItemRecord, in outlet: Outlet) -> [OutputNotes.Entry] {
        var entries = record.outputs.map { OutputNotes.Entry($0) }
        for opened in outlet.targets where opened.target.kind != .files {
            let item = TargetItem(record, in: opened.target.kind, prefix: opened.pictures.prefix)
            for file in opened.target.files(of: item) {
                guard let path = opened.files.path(file.path) else { continue }
                entries.append(
                    OutputNotes.Entry(
                        path: path.text, target: opened.target.kind.rawValue,
                        isElsewhere: opened.files.isElsewhere, bytes: file.bytes.count,
                        sha256: SHA256.hash(file.bytes.span).hex))
            }
        }
        return entries
    }

    /// What targets say of an item that this run has not.
    private static func files(
        of record: ItemRecord, _ former: [TargetRecord], _ outlet: Outlet
    ) -> [(file: File, isOurs: () -> Bool)] {
        former.flatMap { target in
            target.files(of: record).map { file in
                (
                    File(folder: outlet.folder, path: file.path, isElsewhere: false),
                    { holds(file.bytes, file.path, in: outlet.folder) }
                )
            }
        }
    }

    /// A file that a killed run noted and that holds what it noted.
    private static func file(of entry: OutputNotes.Entry, in folder: OutputFolder?) -> File? {
        guard let folder, let path = RelativePath(entry.path),
            holds(entry.bytes, entry.sha256, path, in: folder)
        else { return nil }
        return File(folder: folder, path: path, isElsewhere: entry.isElsewhere)
    }

    private static func holds(
        _ bytes: [UInt8], _ path: RelativePath, in folder: OutputFolder
    ) -> Bool {
        do throws(OutletError) {
            let there = try folder.read(path, limit: bytes.count)
            return there == bytes
        } catch {
            return false
        }
    }

    private static func holds(
        _ size: Int, _ digest: String, _ path: RelativePath, in folder: OutputFolder
    ) -> Bool {
        do throws(OutletError) {
            guard try folder.facts(of: path)?.size == size else { return false }
            return try folder.digest(of: path)?.hex == digest
        } catch {
            return false
        }
    }

    /// A file about all items that stands as it was left.
    private static func file(
        of target: WrittenTarget, _ document: WrittenTarget.File, in outlet: Outlet
    ) -> File? {
        let opened = outlet.targets.first { $0.target.kind == target.kind && $0.files.isElsewhere }
        guard let path = RelativePath(document.path), path.components.first != OutputFolder.ownName,
            let folder = target.isElsewhere ? opened?.files.folder : outlet.folder,
            holds(document.bytes, document.digest, path, in: folder)
        else { return nil }
        return File(folder: folder, path: path, isElsewhere: target.isElsewhere)
    }
}

extension Journal {
    /// Hands over the items of the run.
    mutating func forEachRecord(_ body: (ItemRecord) -> Void) throws(OutletError) {
        try forEachItem { _, line throws(OutletError) in
            if let record = TargetWriter.record(line) { body(record) }
        }
    }
}
