import Digest
import Engine
import Notation
import Synchronization
import Targets
import Transport

/// Decides which existing files a run may replace: the files of earlier runs, and files that have
/// the bytes to be written already. Any other file is the failure of its item, or of the run if the
/// file is about all items.
///
/// A file belongs to earlier runs if the journal, or the manifest if the journal was lost, has its
/// path and its size. A file in a folder outside OUT belongs to them only if a run into OUT wrote to
/// that folder. If the last run was interrupted by a power loss, which may have destroyed the end of
/// the journal, a newer file than that run counts as its file.
package final class OutputLedger: Sendable {
    /// The names of files as hashes: eight bytes a name.
    private struct Names {
        /// The paths of all files with their sizes.
        var sized: NameIndex
        /// The paths of the files that no item has.
        var others: NameIndex

        init(_ forEach: ((_ file: OwnedFile, _ isOther: Bool) -> Void) -> Void) {
            var (sized, others): ([UInt64], [UInt64]) = ([], [])
            forEach { file, isOther in
                sized.append(OutputLedger.hash(file.key, size: file.bytes))
                if isOther { others.append(NameHash.of(file.key)) }
            }
            self.sized = NameIndex(sized)
            self.others = NameIndex(others)
        }
    }

    private struct Known {
        /// The journal before this run; until a run has begun, every file counts as its own.
        var history: RunHistory?
        /// The targets whose folder outside OUT no run wrote to.
        var fresh: Set<TargetKind> = []
        /// The names in the journal, read when the path of an output is first found to be taken, and
        /// those in the manifest, read if the journal lacks a name.
        var recorded: Names?
        var manifest: Names?
    }

    private let folder: OutputFolder
    private let known = Mutex(Known())
    private let journalOfRun = Mutex<Journal?>(nil)

    package init(_ folder: OutputFolder) { self.folder = folder }

    /// Notes which files earlier runs made, before the run writes its first file.
    ///
    /// - Parameter opened: The targets of this run, before it marks their folders.
    func begin(_ history: RunHistory?, _ opened: [OpenTarget]) throws(OutletError) {
        guard let history else { return }
        if history.run == nil { try checkRecords() }
        var fresh: Set<TargetKind> = []
        for other in opened where other.root.isElsewhere {
            if try history.targets.haveMarked(other.root.folder, of: folder) { continue }
            fresh.insert(other.target.kind)
        }
        known.withLock { [fresh] in $0 = Known(history: history, fresh: fresh) }
    }

    /// The journal of the run, which announces files before they are written.
    var journal: Journal? { journalOfRun.withLock { $0 } }

    func use(_ journal: Journal) { journalOfRun.withLock { $0 = journal } }

    /// Throws if the records in the folder are files of another program.
    private func checkRecords() throws(OutletError) {
        for file in [RunFile.manifest, .previousManifest, .record] {
            try checkPlace(of: RelativePath(ours: file.name), unless: "\"emblem.")
        }
    }

    /// Throws if an output would replace a file that no run made, unless the file has the bytes of
    /// the output.
    ///
    /// - Parameter there: The existing file.
    func checkPlace(
        for output: OwnedFile, at path: RelativePath, in folder: OutputFolder, _ there: FileFacts
    ) throws(OutletError) {
        guard path.components.first != OutputFolder.ownName, !isOfRun(output, there) else { return }
        if there.size == output.bytes, try folder.digest(of: path)?.hex == output.sha256 { return }
        throw .foreign(path: folder.display(path))
    }

    /// Throws if a text about the pictures of a target would replace a file that no run made. A file
    /// of a run may have changed since then.
    func checkPlace(
        of name: RelativePath, _ opened: OpenTarget, _ there: FileFacts
    ) throws(OutletError) {
        let kind = opened.target.kind
        let isElsewhere = opened.root.isElsewhere
        let file = OwnedFile(
            kind, isElsewhere: isElsewhere, path: name.text, bytes: 0, sha256: "")
        let isOurs = isKnown(there, isFresh: isElsewhere && isFresh(kind)) { names in
            names.others.contains(NameHash.of(file.key))
        }
        if !isOurs { throw .foreign(path: opened.root.folder.display(name)) }
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

    /// Whether the output goes to a folder outside OUT that no run wrote to.
    func isFresh(_ output: OwnedFile) -> Bool {
        output.isElsewhere && TargetKind(rawValue: output.kind).map(isFresh) ?? false
    }

    private func isFresh(_ kind: TargetKind) -> Bool {
        known.withLock { $0.fresh.contains(kind) }
    }

    /// Returns whether a run left a file of this size under the name of an output. A file of
    /// another size was changed by its user.
    private func isOfRun(_ output: OwnedFile, _ there: FileFacts) -> Bool {
        isKnown(there, isFresh: isFresh(output)) { names in
            names.sized.contains(Self.hash(output.key, size: there.size))
        }
    }

    private func isKnown(_ there: FileFacts, isFresh: Bool, in find: (Names) -> Bool) -> Bool {
        if isFresh { return false }
        // The lock is held while the journal is read, since other outputs need the same names.
        return known.withLock { known in
            guard let history = known.history else { return true }
            if history.lostPower, there.modified >= history.began { return true }
            let recorded = known.recorded ?? Names(history.forEachFile)
            known.recorded = recorded
            if find(recorded) { return true }
            let manifest =
                known.manifest
                ?? Names { note in
                    for (file, isOther) in Manifest.filesOfLastSet(in: folder) {
                        note(file, isOther)
                    }
                }
            known.manifest = manifest
            return find(manifest)
        }
    }

    private static func hash(_ key: String, size: Int) -> UInt64 { NameHash.of("\(size) \(key)") }
}
