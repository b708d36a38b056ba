import Engine
import Targets
import Transport

/// Files of runs in the folders beside OUT that its targets were given. Whatever else lies there may be
/// anybody's, so that only those count of which a journal, a manifest or a note tells, and which have the
/// size that they were left with.
struct Leftovers {
    private struct Name: Hashable {
        let kind: TargetKind
        let path: String
    }

    /// With the sizes that they were left with.
    private var files: [Name: Set<Int>] = [:]
    private let folders: [TargetKind: FilePath]

    /// What is known in `out`.
    init(beside out: FilePath) {
        folders = TargetFolders.known(beside: out)
        guard !folders.isEmpty else { return }
        do throws(OutletError) {
            try Self.forEachFile(of: OutputFolder(out)) { add($0, $1, $2) }
        } catch {
            // Unreadable records are skipped: the files that the manifest names were checked already.
        }
    }

    /// Calls `body` with every file outside `out` that its journal, notes and former sets name: the kind
    /// of its target, its path in the folder, and its size.
    static func forEachFile(
        of out: OutputFolder, _ body: (_ kind: String, _ path: String, _ bytes: Int) -> Void
    ) throws(OutletError) {
        let former = try FormerSet(in: out)
        for entry in OutputNotes.left(in: out).values where entry.isElsewhere {
            body(entry.target ?? TargetKind.files.rawValue, entry.path, entry.bytes)
        }
        for target in former.documents where target.isElsewhere {
            for file in target.files { body(target.kind.rawValue, file.path, file.bytes) }
        }
        try RunHistory.standing(in: out)?.forEachWrittenItem { record in
            for output in record.outputs where output.isElsewhere {
                body(output.target ?? TargetKind.files.rawValue, output.path, output.bytes)
            }
            for target in former.targets where target.prefix == nil {
                for file in target.files(of: record) {
                    body(target.kind.rawValue, file.path.text, file.bytes.count)
                }
            }
        }
    }

    private mutating func add(_ kind: String, _ path: String, _ bytes: Int) {
        guard let kind = TargetKind(rawValue: kind),
            folders[kind] != nil, let path = RelativePath(path),
            path.components.first != OutputFolder.ownName
        else { return }
        files[Name(kind: kind, path: path.text), default: []].insert(bytes)
    }

    /// Those that stand and are not named, in byte order: from the root on, where paths of files in OUT
    /// begin there.
    ///
    /// - Parameter isNamed: of a kind of target and a path in its folder.
    func paths(isNamed: (_ kind: String, _ path: String) -> Bool) -> [String] {
        files.compactMap { name, sizes in
            guard !isNamed(name.kind.rawValue, name.path), let folder = folders[name.kind] else {
                return nil
            }
            let path = folder.appending(FilePath(name.path))
            guard let facts = FileFacts.at(path), facts.kind == .file, sizes.contains(facts.size)
            else { return nil }
            return "\(path)"
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
