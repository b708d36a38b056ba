import Digest
import Engine
import Notation
import Transport

/// The files of the joined set.
struct MergedOutputs {
    private let folder: OutputFolder
    private let foreign: ForeignFiles
    /// What every path that was copied holds, by hashes.
    private var known: [UInt64: UInt64] = [:]

    init(_ folder: OutputFolder, _ foreign: ForeignFiles) {
        self.folder = folder
        self.foreign = foreign
    }

    /// The first line of the manifest that stands in a folder, if it is one of ours.
    static func head(in folder: FilePath) -> JSON? {
        do throws(ManifestError) {
            var reader = try ManifestReader(folder: folder)
            guard let head = try reader.next(), head["type"]?.stringValue == "run" else {
                return nil
            }
            return head
        } catch {
            return nil
        }
    }

    /// How many files stand that the manifest names, which is still the one before, and were not
    /// copied.
    var former: Int {
        do {
            var count = 0
            var reader = try ManifestReader(folder: folder.path)
            while let record = try reader.nextItem() {
                for output in record.outputs where known[NameHash.of(output.path)] == nil {
                    guard let path = RelativePath(output.path), try folder.exists(path) else {
                        continue
                    }
                    count += 1
                }
            }
            return count
        } catch {
            // There was none, or none that can be read.
            return 0
        }
    }

    mutating func copy(_ output: OutputRecord, from source: FilePath) throws {
        guard output.target == nil, !output.isElsewhere, let path = RelativePath(output.path),
            path.components.first != OutputFolder.ownName
        else { throw MergeError(description: "\(source): the path \(output.path) leads elsewhere") }
        let digest = NameHash.of(output.sha256)
        if let other = known.updateValue(digest, forKey: NameHash.of(output.path)) {
            guard other == digest else {
                throw MergeError(
                    description:
                        "two of the sets have a file \(output.path), with different pictures; "
                        + "give the lists ids that differ, or shard one list")
            }
            return
        }
        if let facts = try folder.facts(of: path), facts.size == output.bytes {
            let standing = try folder.read(path, limit: output.bytes) ?? []
            if Self.digest(of: standing) == output.sha256 { return }
        }
        let bytes = try bytes(of: output, path, from: source)
        try folder.write(bytes.span, to: path) { there throws(OutletError) in
            try foreign.look(at: output, path, in: folder, bytes: bytes, size: there.size)
        }
    }

    private static func digest(of bytes: [UInt8]) -> String { SHA256.hash(bytes.span).hex }

    private func bytes(
        of output: OutputRecord, _ path: RelativePath, from source: FilePath
    ) throws(MergeError) -> [UInt8] {
        do throws(IntakeError) {
            let file = try OpenFile(source.appending(FilePath(path.text)))
            // One that grew holds other bytes, however many may be read.
            if file.size == output.bytes {
                let bytes = try file.readAll(limit: output.bytes)
                if Self.digest(of: bytes) == output.sha256 { return bytes }
            }
        } catch {
            throw MergeError(description: "\(source)/\(path.text): \(error)")
        }
        throw MergeError(
            description: "\(source)/\(path.text) is not what its manifest says; run that part again"
        )
    }
}
