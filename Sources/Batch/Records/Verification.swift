import Digest
import Engine
import Notation
import Targets
import Transport

/// Compares the files of an output folder with its manifest.
package struct Verification: Sendable {
    /// A file that differs from the manifest.
    package struct Mismatch: Sendable, Hashable {
        package enum Reason: String, Sendable {
            case missing
            case size
            case content
            /// The records of the manifest are not from one complete run.
            case records
        }

        package let path: String
        package let id: String
        package let reason: Reason
        package let detail: String
    }

    package private(set) var items = 0
    package private(set) var files = 0
    package private(set) var mismatches: [Mismatch] = []
    /// Files in the folder that the manifest does not name, in byte order, followed by the absolute
    /// paths of files that runs left in target folders outside OUT.
    package private(set) var orphans: [String] = []
    /// Whether the manifest ends with the summary of a finished run.
    package private(set) var isComplete = false

    private let folder: FilePath
    /// The files in the manifest, by the target whose own folder has them; the key is empty for
    /// OUT.
    private var named: [String: Set<String>] = [:]
    /// The targets with files about single items.
    private var targets: [TargetRecord] = []
    /// The target folders outside OUT.
    private var others: [TargetKind: FilePath] = [:]
    /// The targets whose folder is unknown.
    private var unknown: Set<String> = []

    /// Reads the manifest in `folder` and hashes every file that it names once.
    package init(folder: FilePath) throws(ManifestError) {
        self.folder = folder
        var reader = try ManifestReader(folder: folder)
        var whole = ManifestCheck(folder: folder)
        while let record = try reader.next() {
            try whole.see(record)
            switch record["type"]?.stringValue {
            case "run":
                targets = TargetRecord.all(of: record)
                if targets.contains(where: { $0.prefix == nil }) {
                    others = TargetFolders.known(beside: folder)
                }
            case "item":
                items += 1
                let id = record["id"]?.stringValue ?? ""
                for output in record["outputs"]?.elements ?? [] { check(output, id: id) }
                checkFiles(about: record, id: id)
            case "target": checkFiles(of: record)
            default: break
            }
        }
        isComplete = whole.isComplete
        for fault in whole.faults { report(Manifest.name, "", .records, fault) }
        let own = named[""] ?? []
        orphans = Self.files(in: folder).filter {
            !own.contains($0) && !Self.isSideFile(folder.appending(FilePath($0)))
        }
        orphans += leftInTargetFolders
        named = [:]
    }

    /// The files of runs in target folders outside OUT that the manifest does not name, in byte
    /// order. Other files there may belong to anyone, so a file counts only if a record has its
    /// path and size.
    private var leftInTargetFolders: [String] {
        // Unreadable records are skipped: the files that the manifest names were checked already.
        guard !others.isEmpty, let output = try? OutputFolder(folder),
            let history = (try? RunHistory.existing(in: output)) ?? nil
        else { return [] }
        var found: Set<String> = []
        history.forEachFile { file, _ in
            guard file.isElsewhere,
                let folder = TargetKind(rawValue: file.kind).flatMap({ others[$0] }),
                let path = RelativePath(file.path),
                path.components.first != OutputFolder.ownName,
                named[file.kind]?.contains(path.text) != true
            else { return }
            let there = folder.appending(FilePath(path.text))
            guard let facts = FileFacts.at(there), facts.kind == .file, facts.size == file.bytes
            else { return }
            found.insert("\(there)")
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a file begins like that of `--sheet`, or with a make rule for a manifest like that
    /// of `--depfile`.
    private static func isSideFile(_ path: FilePath) -> Bool {
        guard let head = try? OpenFile(path).head(8_192) else { return false }
        if SheetFile.isMarked(head) { return true }
        let line = String(decoding: head.prefix { $0 != 0x0A }, as: UTF8.self)
        return ["\(Manifest.name):", "\(Manifest.name): \\"].contains(where: line.hasSuffix)
    }

    /// Returns every file in the folder except the run's own records.
    private static func files(in folder: FilePath) -> [String] {
        guard var walk = try? FolderWalk(folder, leavingOut: [], isPicture: { _ in true }) else {
            // Without a full listing, orphans cannot be determined.
            return []
        }
        var files: [String] = []
        while let path = walk.next() {
            let text = path.description
            if !RunFile.isName(text) { files.append(text) }
        }
        return files
    }

    package var isIntact: Bool { mismatches.isEmpty && isComplete }

    private mutating func check(_ output: JSON, id: String) {
        let kind = output["target"]?.stringValue ?? TargetKind.files.rawValue
        check(
            output, id: id,
            in: output["elsewhere"]?.boolValue == true ? kind : nil)
    }

    private mutating func checkFiles(of record: JSON) {
        let kind = record["target"]?.stringValue ?? ""
        let isElsewhere = record["elsewhere"]?.boolValue == true
        for file in record["files"]?.elements ?? [] {
            check(file, id: "", in: isElsewhere ? kind : nil)
        }
    }

    /// Checks the files about one item, whose contents follow from its record.
    private mutating func checkFiles(about record: JSON, id: String) {
        guard !targets.isEmpty, let item = ItemRecord(record) else {
            return
        }
        for target in targets {
            for file in target.files(of: item) {
                let elsewhere = target.prefix == nil ? target.kind.rawValue : nil
                check(
                    file.path.text, id, elsewhere, size: file.bytes.count,
                    sha256: SHA256.hash(file.bytes.span).hex)
            }
        }
    }

    /// - Parameter kind: The target whose own folder has the file; nil for OUT.
    private mutating func check(_ output: JSON, id: String, in kind: String?) {
        check(
            output["path"]?.stringValue ?? "", id, kind, size: output["bytes"]?.intValue ?? -1,
            sha256: output["sha256"]?.stringValue)
    }

    private mutating func check(
        _ text: String, _ id: String, _ kind: String?, size expected: Int, sha256: String?
    ) {
        files += 1
        named[kind ?? "", default: []].insert(text)
        guard let path = RelativePath(text) else {
            report(text, id, .missing, "the path leads out of the folder")
            return
        }
        guard let folder = self.folder(of: kind, text, id) else { return }
        do {
            let file = try OpenFile(folder.appending(FilePath(path.text)))
            guard file.size == expected else {
                report(text, id, .size, "\(file.size) bytes instead of \(expected)")
                return
            }
            guard try file.digest().hex == sha256 else {
                report(text, id, .content, "the SHA-256 differs")
                return
            }
        } catch {
            report(text, id, .missing, "\(error)")
        }
    }

    /// Returns OUT, or the target's folder outside it. If that folder is unknown, only the first
    /// file of the target is reported.
    private mutating func folder(of kind: String?, _ text: String, _ id: String) -> FilePath? {
        guard let kind else { return folder }
        if let found = TargetKind(rawValue: kind).flatMap({ others[$0] }) { return found }
        if unknown.insert(kind).inserted {
            report(
                text, id, .missing,
                "the folder of \(kind) is not where the last run left it; its files are not looked "
                    + "at")
        }
        return nil
    }

    private mutating func report(
        _ path: String, _ id: String, _ reason: Mismatch.Reason, _ detail: String
    ) {
        mismatches.append(Mismatch(path: path, id: id, reason: reason, detail: detail))
    }
}
