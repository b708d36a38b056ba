import Digest
import Engine
import Notation
import Targets
import Transport

/// The files of earlier runs that the last run into a folder no longer makes.
///
/// A file counts only if it has the bytes that a run left: a changed file belongs to its user.
package struct Orphans: Sendable {
    /// The treatment of orphaned files by a run.
    package enum Treatment: Sendable, Hashable {
        case count
        /// Removes the files, and the folders that are empty then, unless the files are more than
        /// this percentage of all files of earlier runs.
        case remove(atMost: Double)
        /// Does not look for orphaned files, because the run covered only a part of the set.
        case ignore
    }

    private struct Place: Sendable {
        let folder: OutputFolder
        let path: RelativePath
        let isElsewhere: Bool

        init?(_ file: OwnedFile, in folder: OutputFolder?) {
            guard let folder, let path = RelativePath(file.path),
                file.isElsewhere || path.components.first != OutputFolder.ownName
            else { return nil }
            self.folder = folder
            self.path = path
            isElsewhere = file.isElsewhere
        }

        var text: String { isElsewhere ? folder.display(path) : path.text }
    }

    private var places: [Place] = []
    var isEmpty: Bool { places.isEmpty }
    /// The number of files in folders outside OUT that the run does not use.
    package private(set) var unnamedCount = 0
    /// The number of files that no item makes and that changed after a run wrote them.
    package private(set) var changedCount = 0
    /// The announced files that exist and that no item makes.
    private(set) var announced: [OwnedFile] = []
    /// The files that `--prune` counts; nil if no file is to be removed.
    private(set) var base: PruneBase?
    /// The number of files in `base` that would be removed, and that number plus the files in
    /// `base` that this run made again. `--prune` limits the first as a part of the second.
    private(set) var pruneCounts = (removed: 0, of: 0)
    /// The reason for not removing the files; nil if they were removed, or only counted.
    package var withheld: Withheld?

    /// The files: paths in OUT, or paths with the folder of the target.
    package var paths: [String] { places.map(\.text) }

    /// - Parameters:
    ///   - journal: The journal of this run.
    ///   - documents: The keys of the files that this run made and no item has.
    ///   - base: Reads the files that `--prune` counts; nil if nothing is removed.
    init(
        of history: RunHistory, _ journal: Journal, in outlet: Outlet, documents: Set<String>,
        base: (() throws(OutletError) -> PruneBase)? = nil
    ) throws(OutletError) {
        // The last line of a file describes it.
        var found: [String: OwnedFile] = [:]
        history.forEachFormerFile { found[$0.key] = $0 }
        let left = journal.left
        for file in left { found[file.key] = file }
        for key in documents { found[key] = nil }
        guard !found.isEmpty else { return }
        let base = try base?()
        var madeAgain = documents.count { base?.contains($0) == true }
        var made: Set<String> = []
        try journal.forEachRecord { record in
            for key in record.outputs.map({ OwnedFile($0).key }) {
                found[key] = nil
                if base?.contains(key) == true { made.insert(key) }
            }
        }
        madeAgain += made.count
        var standing: Set<String> = []
        var removed = 0
        for (key, file) in found {
            guard let place = Place(file, in: outlet.folder(of: file)) else {
                if outlet.folder(of: file) == nil {
                    unnamedCount += 1
                    standing.insert(key)
                }
                continue
            }
            if file.isUnchanged(at: place.path, in: place.folder) {
                places.append(place)
                standing.insert(key)
                if base?.contains(key) == true { removed += 1 }
            } else if (try? place.folder.exists(place.path)) == true {
                changedCount += 1
            }
        }
        places.sort { $0.text < $1.text }
        announced = left.filter { standing.contains($0.key) }
        self.base = base
        pruneCounts = (removed, removed + madeAgain)
    }

    /// Finds the files in `folder` that a run with the plain files `planned` would leave.
    package init(in folder: OutputFolder, planned: Set<String>) throws(OutletError) {
        guard let history = try RunHistory.existing(in: folder) else { return }
        let base = try PruneBase(in: folder, history)
        var found: [String: OwnedFile] = [:]
        history.forEachFile { file, _ in if file.isPlain { found[file.key] = file } }
        var kept = 0
        for file in found.values {
            if planned.contains(file.path) {
                kept += base.contains(file.key) ? 1 : 0
            } else if let place = Place(file, in: folder),
                file.isUnchanged(at: place.path, in: folder)
            {
                places.append(place)
                pruneCounts.removed += base.contains(file.key) ? 1 : 0
            }
        }
        places.sort { $0.text < $1.text }
        pruneCounts.of = pruneCounts.removed + kept
    }

    /// Removes the files, and the journal lines of earlier runs.
    func remove(from folder: OutputFolder, keeping documents: Set<String>) throws(OutletError) {
        // Without this sync, a power loss could restore the previous manifest, which names these
        // files.
        if !places.isEmpty { try folder.syncFolder(of: RelativePath(ours: Manifest.name)) }
        for place in places {
            try place.folder.remove(place.path)
            place.folder.removeEmptyFolders(of: place.path)
        }
        // The journal must list the files until their removal is on the disk.
        try OutputFolder.syncAll(places.map(\.folder))
        if !places.isEmpty || unnamedCount + changedCount > 0 {
            try RunHistory.dropEarlierRuns(in: folder, keeping: documents)
        }
    }
}

/// The files of earlier runs that `--prune` counts, as hashes of their keys.
///
/// If `--prune` was refused, these are the files that existed at that time. A refused run makes
/// files itself. They must not count as files of an earlier run, or the next run would be allowed.
struct PruneBase: Sendable {
    private static let name = RelativePath.own("prune-base")
    /// A magic number at the beginning of the file, which differs from that of earlier releases.
    private static let form: UInt64 = 0x3537_6873_6168_0A0A
    private static let bytesLimit = 128 << 20

    private let keys: NameIndex
    /// Whether the keys come from the file that a refused run wrote.
    private let isKept: Bool

    init(in folder: OutputFolder, _ history: RunHistory) throws(OutletError) {
        var hashes = try Self.kept(in: folder) ?? []
        isKept = !hashes.isEmpty
        if !isKept { history.forEachFile { file, _ in hashes.append(NameHash.of(file.key)) } }
        keys = NameIndex(hashes)
    }

    private static func kept(in folder: OutputFolder) throws(OutletError) -> [UInt64]? {
        guard let size = try folder.facts(of: name)?.size, size <= bytesLimit,
            let bytes = try folder.read(name, limit: bytesLimit)
        else { return nil }
        let words = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return words.first == form ? Array(words.dropFirst()) : nil
    }

    func contains(_ key: String) -> Bool { keys.contains(NameHash.of(key)) }

    /// Keeps the keys for the next run, after `--prune` was refused.
    func keep(in folder: OutputFolder) throws(OutletError) {
        guard !isKept else { return }
        var bytes: [UInt8] = []
        for word in [Self.form] + keys.hashes { bytes.append(word: word) }
        try folder.write(bytes.span, to: Self.name)
    }

    static func forget(in folder: OutputFolder) throws(OutletError) {
        try folder.remove(name)
    }
}

extension Orphans {
    /// The reason for removing no files although the run was asked to.
    package enum Withheld: Sendable, Hashable {
        /// The run has no item, so all files of earlier runs would be removed.
        case noItem
        /// A folder below an input cannot be read; its pictures may still be there.
        case unreadableFolder
        /// The number of local files that the plan names and that are gone.
        case missingSources(Int, of: Int)
        /// The number of files that would be removed, which is more than `--prune` allows.
        case tooMany(Int, of: Int)
    }

    /// Returns the reason for removing nothing, or nil. A run that has not seen all of its sources
    /// cannot tell which files are left over.
    package func obstacle(
        to percentage: Double, _ plan: BatchPlan, items: Int, missing: Int
    ) -> Withheld? {
        guard !isEmpty else { return nil }
        if items == 0 { return .noItem }
        if plan.skips.unreadableCount > 0 { return .unreadableFolder }
        let local = min(items, plan.localCount)
        if missing * 2 > local { return .missingSources(missing, of: local) }
        let (removed, total) = pruneCounts
        return Double(removed) * 100 > percentage * Double(total)
            ? .tooMany(removed, of: total) : nil
    }
}
