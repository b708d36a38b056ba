import Digest
import Engine
import Notation
import Synchronization
import Targets
import Transport

/// Writes `manifest.ndjson`: the result of every input, in input order, without times.
package enum Manifest {
    package static let name = RunFile.manifest.name
    static let schema = "emblem.manifest/1"

    /// The time of a manifest whose run failed, in seconds after 1970: older than any source, so
    /// that make and ninja run the batch again.
    private static let outdatedSeconds = 1

    /// Whether the manifest in `folder` has the time of a run that failed.
    package static func isOutdated(in folder: OutputFolder) throws(OutletError) -> Bool {
        try folder.facts(of: RelativePath(ours: name))?.modified
            == Int64(outdatedSeconds) * 1_000_000_000
    }

    /// Gives the manifest the time of a run that failed.
    package static func outdate(in folder: OutputFolder) throws(OutletError) {
        try folder.touch(RelativePath(ours: name), at: outdatedSeconds)
    }

    /// Gives the manifest the current time.
    package static func refresh(in folder: OutputFolder) throws(OutletError) {
        try folder.touch(RelativePath(ours: name))
    }

    /// Returns the files in the manifest of the last run, and whether no item has each of them.
    static func filesOfLastSet(in folder: OutputFolder) -> [(file: OwnedFile, isOther: Bool)] {
        guard let name = try? LastManifest.currentName(in: folder),
            var reader = try? ManifestReader(folder.path.appending(FilePath(name.text)))
        else { return [] }
        var targets: [TargetRecord] = []
        var files: [(OwnedFile, Bool)] = []
        while let record = (try? reader.next()) ?? nil {
            switch record["type"]?.stringValue {
            case "run": targets = TargetRecord.all(of: record)
            case "item":
                files += (record["outputs"]?.elements ?? []).compactMap { output in
                    OwnedFile(output).map { ($0, false) }
                }
                guard !targets.isEmpty, let item = ItemRecord(record) else { continue }
                for target in targets {
                    files += target.files(of: item).map { file in
                        let owned = OwnedFile(
                            target.kind, isElsewhere: target.prefix == nil, path: file.path.text,
                            bytes: file.bytes.count, sha256: SHA256.hash(file.bytes.span).hex)
                        return (owned, true)
                    }
                }
            case "target":
                let kind = record["target"]?.stringValue.flatMap { TargetKind(rawValue: $0) }
                files += (record["files"]?.elements ?? []).compactMap { file in
                    guard let kind, let path = file["path"]?.stringValue,
                        let bytes = file["bytes"]?.intValue,
                        let sha256 = file["sha256"]?.stringValue
                    else { return nil }
                    let owned = OwnedFile(
                        kind, isElsewhere: record["elsewhere"]?.boolValue == true, path: path,
                        bytes: bytes, sha256: sha256)
                    return (owned, true)
                }
            default: break
            }
        }
        return files
    }

    /// Returns whether the last set has an item that shows its source.
    static func hasEmblemInLastSet(in folder: OutputFolder) throws(OutletError) -> Bool {
        guard let file = try folder.open(LastManifest.currentName(in: folder)) else { return false }
        let size = try file.size()
        let length = min(size, summaryLimit)
        let bytes = try file.read(at: Int64(size - length), count: length)
        let last = bytes.split(separator: 0x0A).last.flatMap { JournalLine.json(of: $0) }
        return last?["type"]?.stringValue == "summary" && last?["ok"]?.intValue ?? 0 > 0
    }

    /// The limit for a summary line, in bytes.
    private static let summaryLimit = 16 << 10

    /// Writes the whole manifest from the journal and renames it into place.
    ///
    /// - Parameter record: Writes files that must be complete before the manifest appears. It
    ///   receives the changes since the last run; nil if the last manifest is missing or cannot be
    ///   read.
    static func write(
        _ journal: Journal, options: OptionsRecord, files: [WrittenTarget] = [],
        themeDigest: String, counts: RunCounts, replacing last: LastManifest,
        in folder: OutputFolder,
        record: (SetChanges?) throws(OutletError) -> Void
    ) throws(OutletError) {
        var changes = try ChangesSinceLastRun(in: folder)
        var file = try folder.newFile(RelativePath(ours: name))
        var hash = SHA256()
        let head = head(options, themeDigest: themeDigest)
        hash.update(head.span)
        try file.append(head)
        try journal.forEachItem { line throws(OutletError) in
            let line = line + [0x0A]
            changes.see(line.dropLast())
            hash.update(line.span)
            try file.append(line.span)
        }
        try record(changes.finish())
        for target in files {
            let line = target.line
            hash.update(line.span)
            try file.append(line)
        }
        let summary = summary(counts)
        hash.update(summary.span)
        try file.append(summary)
        // An unchanged set keeps its manifest, whose time tells other tools that nothing is new.
        let former =
            counts.reused == counts.done
            ? try folder.digest(of: LastManifest.currentName(in: folder)) : nil
        // The outputs reach the disk before the manifest that names them. The sync also covers the
        // bytes of the manifest, so that its own sync waits for almost nothing.
        try file.flush()
        try journal.sync()
        if former == hash.finish() { return try last.comeBack() }
        _ = try file.commit(sync: true)
        last.forget()
    }

    private static func head(_ options: OptionsRecord, themeDigest: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "run")
            json.member("schema", schema)
            json.member("tool", ToolVersion.text)
            options.write(into: &json)
            json.member("theme_sha256", themeDigest)
        }
        json.endLine()
        return json.take()
    }

    static func line(_ json: JSON) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(json)
        writer.endLine()
        return writer.take()
    }

    /// Returns the last record of a manifest or stream, as a line.
    package static func summary(_ counts: RunCounts) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "summary")
            json.member("items", counts.done)
            json.member("ok", counts.ok)
            json.member("placeholder", counts.placeholders)
            json.member("failed", counts.failed)
            if counts.stale > 0 { json.member("stale", counts.stale) }
            json.member("outputs", counts.outputs)
            counts.write(errorsInto: &json)
        }
        json.endLine()
        return json.take()
    }
}

/// The manifest of the last run. It keeps its name until the first file that it may name changes.
/// Then it is called `manifest.previous.ndjson` until the manifest of this run is written.
final class LastManifest: Sendable {
    private static let name = RelativePath(ours: RunFile.manifest.name)
    private static let previousName = RelativePath(ours: RunFile.previousManifest.name)

    private let folder: OutputFolder
    /// The folders of targets outside OUT.
    private let others: [OutputFolder]
    private let hasSteppedAside = Mutex(false)
    private let isHeld = Atomic(false)

    init(_ folder: OutputFolder, _ others: [OutputFolder]) {
        self.folder = folder
        self.others = others
    }

    /// Returns the name that a file of the last set keeps after another file took its path, until
    /// the next manifest is written. A source that fails later in the run may need it.
    static func place(of path: RelativePath) -> RelativePath {
        .own("last/\(SHA256.hash(path.text).prefixHex(32))")
    }

    /// Whether no output may change yet, because the last set has emblems and this run has none.
    var holdsOutputs: Bool { isHeld.load(ordering: .relaxed) }

    func hold() { isHeld.store(true, ordering: .relaxed) }

    func release() { isHeld.store(false, ordering: .relaxed) }

    /// Moves the manifest away, once per run, and syncs the folder. Otherwise a power loss could
    /// restore a manifest whose files have changed.
    func stepAside() throws(OutletError) {
        // All tasks that want to change a file wait for the same sync, so it happens under the
        // lock.
        try hasSteppedAside.withLock { isDone throws(OutletError) in
            guard !isDone else { return }
            // Files of an older set than the one that steps aside.
            if try folder.exists(Self.name) { try removeFormerFiles() }
            let hasMoved = try folder.move(Self.name, to: Self.previousName)
            // A killed run may have moved the manifest without a sync.
            var mayBeUnsynced = hasMoved
            if !mayBeUnsynced { mayBeUnsynced = try folder.exists(Self.previousName) }
            if mayBeUnsynced { try folder.syncFolder(of: Self.name) }
            isDone = true
        }
    }

    /// Gives the manifest its name back, since no file that it names has changed.
    func comeBack() throws(OutletError) {
        guard try folder.exists(Self.name) else {
            try folder.move(Self.previousName, to: Self.name)
            return try removeFormerFiles()
        }
        // After a power loss, an older manifest can exist next to the current one. It is removed.
        forget()
    }

    /// Removes the previous manifest after the manifest of this run was written.
    func forget() {
        // The set is complete; the next run replaces or removes the leftover file.
        try? folder.remove(Self.previousName)
        try? removeFormerFiles()
    }

    private func removeFormerFiles() throws(OutletError) {
        let name = RelativePath.own("last/x")
        for folder in [folder] + others where try folder.removeFiles(besides: name) {
            folder.removeEmptyFolders(of: name)
        }
    }

    static func currentName(in folder: OutputFolder) throws(OutletError) -> RelativePath {
        try folder.exists(name) ? name : previousName
    }
}

extension RelativePath {
    /// A fixed name of one of the run's own files, such as the manifest.
    package init(ours name: String) {
        guard let path = RelativePath(name) else {
            preconditionFailure("\(name) is a name of ours and leads nowhere else.")
        }
        self = path
    }
}
