import Digest
import Engine
import Notation
import Targets
import Transport

/// A file that a run made: its path, its contents and the target that owns it.
struct OwnedFile: Sendable {
    /// The path in OUT, or in the folder of the owning target if `isElsewhere`.
    let path: String
    /// The kind of the target that owns the file; nil for plain files.
    let owner: String?
    /// Whether the file is in a target folder outside OUT.
    let isElsewhere: Bool
    let bytes: Int
    let sha256: String
    /// The modification time that the run left, in nanoseconds since 1970; nil if no record has it.
    var modified: Int64?

    /// The kind of the target that owns the file; `files` for a plain file.
    var kind: String { owner ?? TargetKind.files.rawValue }

    var isPlain: Bool { owner == nil && !isElsewhere }

    /// A key that is unique among all folders: the kind of a target outside OUT, then the path.
    var key: String { "\(isElsewhere ? kind : "") \(path)" }

    /// Returns whether the file still has the contents that the run left. Equal size and
    /// modification time are enough. If only the time differs, as after a copy or a checkout, the
    /// digests are compared.
    func isUnchanged(at path: RelativePath, in folder: OutputFolder) -> Bool {
        folder.time(of: path, bytes: bytes, sha256: sha256, modified: modified) != nil
    }
}

extension OwnedFile {
    init(_ output: OutputRecord) {
        self.init(
            path: output.path, owner: output.target, isElsewhere: output.isElsewhere,
            bytes: output.bytes, sha256: output.sha256, modified: output.modified)
    }

    /// Creates the file of a target: a file about all items, or a text about one item.
    init(_ kind: TargetKind, isElsewhere: Bool, path: String, bytes: Int, sha256: String) {
        self.init(
            path: path, owner: kind.rawValue, isElsewhere: isElsewhere, bytes: bytes,
            sha256: sha256)
    }

    init?(_ json: JSON) {
        guard let path = json["path"]?.stringValue, let bytes = json["bytes"]?.intValue,
            let sha256 = json["sha256"]?.stringValue
        else { return nil }
        self.init(
            path: path, owner: json["target"]?.stringValue,
            isElsewhere: json["elsewhere"]?.boolValue ?? false, bytes: bytes, sha256: sha256)
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
