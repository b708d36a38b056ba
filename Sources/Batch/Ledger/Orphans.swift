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

        init?(_ file: LedgerFile, in folder: OutputFolder?) {
            guard let folder, let path = RelativePath(file.path),
                file.isElsewhere || path.components.first != OutputFolder.ownName
            else { return nil }
            self.folder = folder
            self.path = path
            isElsewhere = file.isElsewhere
        }

        var text: String { isElsewhere ? folder.display(path) : path.text }

        var exists: Bool {
            (try? folder.exists(path)) == true
        }

        func isUnchanged(_ file: LedgerFile) -> Bool { file.isUnchanged(at: path, in: folder) }
    }

    private var places: [Place] = []
    var isEmpty: Bool { places.isEmpty }
    /// The files that stay announced in `outputs.ndjson`, since no journal has them.
    private(set) var unrecorded: [LedgerFile] = []
    /// The number of files in folders outside OUT that the run does not use.
    package private(set) var unnamedCount = 0

    /// The number of files that no item makes and that changed after a run wrote them.
    package private(set) var changedCount = 0
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
    ///   - former: The targets of earlier runs that this run does not have, and their files.
    ///   - base: Reads the files that `--prune` counts; nil if nothing is removed.
    ///   - made: Calls its argument with each item of the run.
    init(
        of history: RunHistory, in outlet: Outlet,
        former: FormerSet = FormerSet(), base: (() throws(OutletError) -> PruneBase)? = nil,
        made: ((ItemRecord) -> Void) throws(OutletError) -> Void
    ) throws(OutletError) {
        var found: [String: Place] = [:]
        var unnamed: Set<String> = []
        var changed: Set<String> = []
        // Former targets outside OUT have no prefix. They are left out, because this run has not
        // opened their folders.
        let targets = outlet.targetRecords + former.targets.filter { $0.prefix != nil }
        history.forEachUnrequested { record in
            for file in LedgerFile.all(of: record, targets) {
                let folder = outlet.folder(of: file)
                if folder == nil { unnamed.insert(file.key) }
                guard let place = Place(file, in: folder) else { continue }
                if place.isUnchanged(file) {
                    found[place.text] = place
                } else if place.exists {
                    changed.insert(place.text)
                }
            }
        }
        let left = outlet.ledger.leftovers
        unrecorded = left.filter { outlet.folder(of: $0) == nil }
        unnamedCount = unnamed.union(unrecorded.map(\.key)).count
        for file in former.documents.flatMap(\.ledgerFiles) {
            guard let place = Place(file, in: outlet.folder(of: file)), place.isUnchanged(file)
            else { continue }
            found[place.text] = place
        }
        let noted = left.compactMap { file in
            Place(file, in: outlet.folder(of: file)).flatMap {
                $0.isUnchanged(file) ? (file, $0) : nil
            }
        }
        for (_, place) in noted { found[place.text] = place }
        guard !found.isEmpty || !changed.isEmpty else { return }
        let base = try base?()
        self.base = base
        var again: Set<String> = []
        try made { record in
            for name in Self.names(of: record, in: outlet) {
                found[name] = nil
                changed.remove(name)
                if base?.contains(name) == true { again.insert(name) }
            }
        }
        changedCount = changed.subtracting(found.keys).count
        take(found.values, base, madeAgain: again.count)
        unrecorded += noted.filter { found[$0.1.text] != nil }.map(\.0)
    }

    /// Finds the files in `folder` that a run with the plain files `planned` would leave.
    package init(in folder: OutputFolder, planned: Set<String>) throws(OutletError) {
        guard let history = try RunHistory.existing(in: folder) else { return }
        let base = try PruneBase(in: folder) { add in
            history.forEachOutput { if LedgerFile($0).isPlain { add($0.path) } }
        }
        var found: [String: Place] = [:]
        let see = { (file: LedgerFile) in
            guard file.isPlain, !planned.contains(file.path), let place = Place(file, in: folder),
                place.isUnchanged(file)
            else { return }
            found[place.text] = place
        }
        OutputLedger.leftovers(in: folder).values.forEach(see)
        var kept: Set<String> = []
        history.forEachUnrequested { record in
            for file in record.outputs.map({ LedgerFile($0) }) {
                if file.isPlain, planned.contains(file.path), base.contains(file.path) {
                    kept.insert(file.path)
                }
                see(file)
            }
        }
        take(found.values, base, madeAgain: kept.count)
    }

    private mutating func take(
        _ found: some Collection<Place>, _ base: PruneBase?, madeAgain: Int
    ) {
        places = found.sorted { $0.text < $1.text }
        guard let base else { return }
        let removed = places.count { base.contains($0.text) }
        pruneCounts = (removed, removed + madeAgain)
    }

    func remove(from folder: OutputFolder) throws(OutletError) {
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
            try RunHistory.dropEarlierRuns(in: folder)
        }
    }

    /// Calls `body` with the name of each file that earlier runs made of an item.
    static func forEachName(
        of history: RunHistory, in outlet: Outlet, _ body: (String) -> Void
    ) {
        history.forEachWrittenItem { names(of: $0, in: outlet).forEach(body) }
    }

    private static func names(of record: ItemRecord, in outlet: Outlet) -> [String] {
        LedgerFile.all(of: record, outlet.targetRecords)
            .compactMap { Place($0, in: outlet.folder(of: $0))?.text }
    }
}

/// The files of earlier runs that `--prune` counts, as hashes of their names.
///
/// If `--prune` was refused, these are the files that existed at that time. A refused run makes
/// files itself. They must not count as files of an earlier run, or the next run would be allowed.
struct PruneBase: Sendable {
    private static let name = RelativePath.own("prune-base")
    /// A magic number at the beginning of the file. Earlier releases wrote no magic number, and
    /// hashes of four bytes.
    private static let form: UInt64 = 0x3436_6873_6168_0A0A
    private static let bytesLimit = 128 << 20

    private let names: NameIndex
    /// Whether the names come from the file that a refused run wrote.
    private let isKept: Bool

    /// - Parameter all: calls its argument with the name of each file that earlier runs made.
    init(in folder: OutputFolder, all: ((String) -> Void) -> Void) throws(OutletError) {
        var hashes = try Self.kept(in: folder)
        isKept = hashes != nil
        if hashes == nil {
            var names: [UInt64] = []
            all { names.append(NameHash.of($0)) }
            hashes = names
        }
        names = NameIndex(hashes ?? [])
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

    func contains(_ name: String) -> Bool { names.contains(NameHash.of(name)) }

    /// Keeps the names for the next run, after `--prune` was refused.
    func keep(in folder: OutputFolder) throws(OutletError) {
        guard !isKept else { return }
        var bytes: [UInt8] = []
        for word in [Self.form] + names.hashes { bytes.append(word: word) }
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
