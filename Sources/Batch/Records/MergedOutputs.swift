import Digest
import Engine
import Notation
import Transport

struct MergedOutputs {
    private let folder: OutputFolder
    private let ledger: OutputLedger
    /// The hashes of the contents of every copied path, by the hash of the path.
    private var known: [UInt64: UInt64] = [:]
    /// The paths of the copied files, each followed by NUL.
    private var copied: [UInt8] = []

    init(_ folder: OutputFolder, _ ledger: OutputLedger) {
        self.folder = folder
        self.ledger = ledger
    }

    /// Returns the first line of the manifest in a folder, if it is an emblem manifest.
    static func head(in folder: FilePath) -> JSON? {
        guard var reader = try? ManifestReader(folder: folder), let head = try? reader.next(),
            head["type"]?.stringValue == "run"
        else { return nil }
        return head
    }

    /// The number of existing files that the old manifest names and that were not copied.
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
            // There is no readable manifest.
            return 0
        }
    }

    mutating func copy(_ output: OutputRecord, from source: FilePath) throws {
        guard output.target == nil, !output.isElsewhere, let path = RelativePath(output.path),
            path.components.first != OutputFolder.ownName
        else {
            throw MergeError(
                description: "\(source): the path \(output.path) leads out of the folder")
        }
        let digest = NameHash.of(output.sha256)
        if let other = known.updateValue(digest, forKey: NameHash.of(output.path)) {
            guard other == digest else {
                throw MergeError(
                    description:
                        "two sets have different files \(output.path); use different ids in the "
                        + "lists, or shard one list")
            }
            return
        }
        if let facts = try folder.facts(of: path), facts.size == output.bytes,
            try folder.digest(of: path)?.hex == output.sha256
        {
            return
        }
        let file = try contents(of: output, path, from: source)
        try file.commit { there throws(OutletError) in
            try ledger.makeWay(
                for: LedgerFile(output), at: path, in: folder, size: there.size)
        }
        copied += Array(path.text.utf8) + [0]
    }

    func removeCopies() throws(OutletError) {
        for bytes in copied.split(separator: 0) {
            guard let path = RelativePath(String(decoding: bytes, as: UTF8.self)) else { continue }
            try folder.remove(path)
            folder.removeEmptyFolders(of: path)
        }
    }

    /// Copies an output block by block into a file that has no name yet.
    private func contents(
        of output: OutputRecord, _ path: RelativePath, from source: FilePath
    ) throws -> OutputFile {
        var copy = try folder.newFile(path)
        do {
            let file = try OpenFile(source.appending(FilePath(path.text)))
            if file.size == output.bytes {
                var hash = SHA256()
                var offset = 0
                while let block = try file.nextBlock(from: &offset) {
                    hash.update(block.span)
                    try copy.append(block)
                }
                if hash.finish().hex == output.sha256 { return copy }
            }
        } catch let error as OutletError {
            throw error
        } catch {
            throw MergeError(description: "\(source)/\(path.text): \(error)")
        }
        throw MergeError(
            description: "\(source)/\(path.text) differs from its manifest; run that part again"
        )
    }
}
