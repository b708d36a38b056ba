import Engine
import Notation
import Transport

/// Files that earlier runs into a folder made and the last one does not make any more.
///
/// Only files count that stand as they were left: what somebody changed since is theirs.
package struct Orphans: Sendable {
    /// What becomes of them.
    package enum Treatment: Sendable, Hashable {
        /// They are counted.
        case count
        /// They are taken away, and so are folders that hold nothing then.
        case remove
        /// Nobody looks, since the run was over a part of what makes the set.
        case ignore
    }

    /// The paths of the files, each once.
    package private(set) var paths: [RelativePath] = []

    private init() {}

    /// - Parameter made: the files of the run, handed over one by one.
    init(
        of history: RunHistory, in folder: OutputFolder,
        made: ((String) -> Void) throws(OutletError) -> Void
    ) throws(OutletError) {
        var found: Set<String> = []
        history.forEachUnasked { record in
            for output in record.outputs where Self.stands(output, in: folder) {
                found.insert(output.path)
            }
        }
        guard !found.isEmpty else { return }
        try made { found.remove($0) }
        paths = found.sorted().compactMap { RelativePath($0) }
    }

    /// What a run that makes `planned` would leave of what stands in `folder`.
    package init(in folder: OutputFolder, planned: Set<String>) throws(OutletError) {
        guard let history = try RunHistory.standing(in: folder) else {
            self.init()
            return
        }
        try self.init(of: history, in: folder) { made in planned.forEach(made) }
    }

    private static func stands(_ output: OutputRecord, in folder: OutputFolder) -> Bool {
        guard let path = RelativePath(output.path), path.components.first != OutputFolder.ownName
        else { return false }
        do throws(OutletError) {
            guard let facts = try folder.facts(of: path) else { return false }
            return facts.size == output.bytes && facts.modified == output.modified
        } catch {
            return false
        }
    }

    /// Takes the files away.
    func remove(from folder: OutputFolder) throws(OutletError) {
        for path in paths {
            try folder.remove(path)
            folder.removeEmptyFolders(of: path)
        }
        if !paths.isEmpty { try RunHistory.dropEarlierRuns(in: folder) }
    }
}

extension Journal {
    /// Hands over the path of every output of the run.
    mutating func forEachOutput(_ body: (String) -> Void) throws(OutletError) {
        try forEachItem { line throws(OutletError) in
            let outputs = JournalLine.json(of: line)?["outputs"]?.elements ?? []
            for output in outputs { if let path = output["path"]?.stringValue { body(path) } }
        }
    }
}
