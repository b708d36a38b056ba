import Digest
import Engine
import Notation
import Targets
import Transport

/// A file that a run made: its path, its contents and the target that owns it.
struct LedgerFile: Sendable {
    enum Contents: Sendable {
        case digest(bytes: Int, sha256: String)
        /// A short text that follows from the record of an item.
        case text([UInt8])
    }

    /// The path in OUT, or in the folder of the owning target if `isElsewhere`.
    let path: String
    /// The kind of the target that owns the file; nil for plain files.
    let owner: String?
    /// Whether the file is in a target folder outside OUT.
    let isElsewhere: Bool
    let contents: Contents
    /// The modification time that the run left, in nanoseconds since 1970; nil if no record has it.
    var modified: Int64?

    var bytes: Int {
        switch contents {
        case .digest(let bytes, _): bytes
        case .text(let text): text.count
        }
    }

    var sha256: String {
        switch contents {
        case .digest(_, let sha256): sha256
        case .text(let text): SHA256.hash(text.span).hex
        }
    }

    /// The kind of the target that owns the file; `files` for a plain file.
    var kind: String { owner ?? TargetKind.files.rawValue }

    var isPlain: Bool { owner == nil && !isElsewhere }

    /// A key that is unique among all folders: the kind of a target outside OUT, then the path.
    var key: String { "\(isElsewhere ? kind : "") \(path)" }

    /// Returns the hash of `key` and a size, by default the size that the run left.
    func hash(size: Int? = nil) -> UInt64 { NameHash.of("\(size ?? bytes) \(key)") }

    /// Returns whether the file still has the contents that the run left. Equal size and
    /// modification time are enough. If only the time differs, as after a copy or a checkout, the
    /// digests are compared.
    func isUnchanged(at path: RelativePath, in folder: OutputFolder) -> Bool {
        folder.time(of: path, bytes: bytes, sha256: sha256, modified: modified) != nil
    }
}

extension LedgerFile {
    init(_ output: OutputRecord) {
        self.init(
            path: output.path, owner: output.target, isElsewhere: output.isElsewhere,
            contents: .digest(bytes: output.bytes, sha256: output.sha256),
            modified: output.modified)
    }

    /// Returns the files that a run made of one item: its pictures, and the texts that `targets`
    /// have about that item alone.
    static func all(of record: ItemRecord, _ targets: [TargetRecord]) -> [LedgerFile] {
        record.outputs.map { LedgerFile($0) }
            + targets.flatMap { target in
                target.files(of: record).map { file in
                    LedgerFile(
                        path: file.path.text, owner: target.kind.rawValue,
                        isElsewhere: target.prefix == nil, contents: .text(file.bytes))
                }
            }
    }

    init?(_ json: JSON) {
        guard let path = json["path"]?.stringValue, let bytes = json["bytes"]?.intValue,
            let sha256 = json["sha256"]?.stringValue
        else { return nil }
        self.init(
            path: path, owner: json["target"]?.stringValue,
            isElsewhere: json["elsewhere"]?.boolValue ?? false,
            contents: .digest(bytes: bytes, sha256: sha256))
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            if let owner { json.member("target", owner) }
            if isElsewhere { json.member("elsewhere", true) }
            json.member("bytes", bytes)
            json.member("sha256", sha256)
        }
    }
}

extension WrittenTarget {
    var ledgerFiles: [LedgerFile] {
        files.map { file in
            LedgerFile(
                path: file.path, owner: kind.rawValue, isElsewhere: isElsewhere,
                contents: .digest(bytes: file.bytes, sha256: file.digest))
        }
    }
}

extension OutputFolder {
    /// Returns the modification time of a file if the file has the given contents; nil if it is
    /// missing, has other bytes, or cannot be read.
    ///
    /// - Parameters:
    ///   - modified: The time that the run left. If the file has another time, the digest is
    ///     compared.
    ///   - trustsTimes: False after a power loss, when only the bytes on the disk prove the
    ///     contents.
    func time(
        of path: RelativePath, bytes: Int, sha256: @autoclosure () -> String, modified: Int64?,
        trustsTimes: Bool = true
    ) -> Int64? {
        guard let facts = try? facts(of: path), facts.size == bytes else { return nil }
        if trustsTimes, facts.modified == modified { return modified }
        guard let digest = try? digest(of: path, fromDisk: !trustsTimes), digest.hex == sha256()
        else { return nil }
        return facts.modified
    }
}
