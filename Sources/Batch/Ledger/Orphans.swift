import Digest
import Engine
import Notation
import Targets
import Transport

/// The files of earlier runs that the last run into a folder no longer makes.
///
/// A file counts only if it has the bytes that a run left: a changed file belongs to its user.
package struct Orphans: Sendable {
    /// How a run treats these files.
    package enum Treatment: Sendable, Hashable {
        /// Counts the files.
        case count
        /// Removes the files, and the folders that are empty then, unless the files are more than this
        /// part of all files of earlier runs.
        case remove(atMost: Tolerance)
        /// Does not look for files, since the run was over a part of the set.
        case ignore
    }

    /// The place of a file that a run made.
    private struct Place: Sendable {
        let folder: OutputFolder
        let path: RelativePath
        let isElsewhere: Bool

        init?(_ file: LedgerFile, in folder: OutputFolder?) {
            guard let folder, let path = RelativePath(file.path) else { return nil }
            self.folder = folder
            self.path = path
            isElsewhere = file.isElsewhere
        }

        /// Pictures that are kept for archives are in `.emblem`, where users do not see them.
        var isOwn: Bool { !isElsewhere && path.components.first == OutputFolder.ownName }
        var text: String { isElsewhere ? folder.display(path) : path.text }

        var exists: Bool {
            do throws(OutletError) { return try folder.exists(path) } catch { return false }
        }

        func holds(_ file: LedgerFile) -> Bool { file.stands(at: path, in: folder) }
    }

    private var places: [Place] = []
    /// There is nothing to remove.
    var isEmpty: Bool { places.isEmpty }
    /// The files that stay announced, since no journal has them.
    private(set) var unrecorded: [LedgerFile] = []
    /// The number of files in folders outside OUT that the run does not use.
    package private(set) var unnamedCount = 0

    /// The number of files that no item makes and that changed after a run wrote them.
    package private(set) var changedCount = 0
    /// The files by whose number `--prune-max` judges, once there is one to remove.
    private(set) var base: PruneBase?
    /// The numbers by which `--prune-max` judges: see `PruneBase`.
    private(set) var judged = (removed: 0, of: 0)
    /// The reason for not removing the files; nil where they were removed, or only counted.
    package var withheld: Withheld?

    /// The files that users see: paths in OUT, or paths with the folder of the target.
    package var paths: [String] { places.filter { !$0.isOwn }.map(\.text) }

    /// - Parameters:
    ///   - former: the targets of earlier runs that this run does not have, and their files.
    ///   - base: reads the files by whose number `--prune-max` judges; nil where nothing is removed.
    ///   - made: calls its argument with each item of the run.
    init(
        of history: RunHistory, in outlet: Outlet,
        former: FormerSet = FormerSet(), base: (() throws(OutletError) -> PruneBase)? = nil,
        made: ((ItemRecord) -> Void) throws(OutletError) -> Void
    ) throws(OutletError) {
        var found: [String: Place] = [:]
        var unnamed: Set<String> = []
        var changed: Set<String> = []
        // The run has no folder for targets that earlier runs had outside OUT.
        let targets = outlet.targetRecords + former.targets.filter { $0.prefix != nil }
        history.forEachUnasked { record in
            for file in LedgerFile.all(of: record, targets) {
                let folder = outlet.folder(of: file)
                if folder == nil { unnamed.insert(file.key) }
                guard let place = Place(file, in: folder) else { continue }
                if place.holds(file) {
                    found[place.text] = place
                } else if !place.isOwn, place.exists {
                    changed.insert(place.text)
                }
            }
        }
        let left = outlet.ledger.left
        unrecorded = left.filter { outlet.folder(of: $0) == nil }
        unnamedCount = unnamed.union(unrecorded.map(\.key)).count
        for file in former.documents.flatMap(\.ledgerFiles) {
            guard let place = Place(file, in: outlet.folder(of: file)),
                place.path.components.first != OutputFolder.ownName, place.holds(file)
            else { continue }
            found[place.text] = place
        }
        let noted = left.compactMap { file in
            Place(file, in: outlet.folder(of: file)).flatMap { $0.holds(file) ? (file, $0) : nil }
        }
        for (_, place) in noted { found[place.text] = place }
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
        guard let history = try RunHistory.standing(in: folder) else { return }
        let base = try PruneBase(in: folder) { add in
            history.forEachOutput { if LedgerFile($0).isPlain { add($0.path) } }
        }
        var found: [String: Place] = [:]
        let see = { (file: LedgerFile) in
            guard file.isPlain, !planned.contains(file.path), let place = Place(file, in: folder),
                place.holds(file)
            else { return }
            found[place.text] = place
        }
        OutputLedger.left(in: folder).values.forEach(see)
        var kept: Set<String> = []
        history.forEachUnasked { record in
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
        judged = (removed, removed + madeAgain)
    }

    /// Removes the files.
    func remove(from folder: OutputFolder) throws(OutletError) {
        // After a power loss, the manifest before this one must not be back and name these files.
        if !places.isEmpty { try folder.syncFolder(of: RelativePath(ours: Manifest.name)) }
        for place in places {
            try place.folder.remove(place.path)
            place.folder.removeEmptyFolders(of: place.path)
        }
        // A file that comes back after a power loss must still be known.
        try BackgroundSync.run(places.map(\.folder))
        if !places.isEmpty || unnamedCount + changedCount > 0 {
            try RunHistory.dropEarlierRuns(in: folder)
        }
    }

    /// Calls `body` with the name of each file that runs made of items and that users see.
    static func forEachName(
        of history: RunHistory, in outlet: Outlet, _ body: (String) -> Void
    ) {
        history.forEachWrittenItem { names(of: $0, in: outlet, seen: true).forEach(body) }
    }

    private static func names(
        of record: ItemRecord, in outlet: Outlet, seen: Bool = false
    ) -> [String] {
        LedgerFile.all(of: record, outlet.targetRecords)
            .compactMap { Place($0, in: outlet.folder(of: $0)) }
            .filter { !seen || !$0.isOwn }.map(\.text)
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
