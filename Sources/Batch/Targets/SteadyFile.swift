import Digest
import Transport

/// A file that is rewritten only if its bytes change, and then atomically.
///
/// The existing file is compared block by block during writing, so only one block is in memory.
final class SteadyFile {
    private static let blockBytes = 256 << 10

    private let name: RelativePath
    private let folder: OutputFolder
    private var existing: AppendFile?
    /// The number of equal bytes so far.
    private var matched = 0
    private var file: OutputFile?
    private var hash = SHA256()
    private(set) var size = 0

    init(_ name: RelativePath, in folder: OutputFolder) throws(OutletError) {
        self.name = name
        self.folder = folder
        // An unreadable file is written again; if that fails too, the error is reported.
        existing = try? folder.open(name)
        if existing == nil { file = try folder.newFile(name) }
    }

    func append(_ bytes: [UInt8]) throws(OutletError) {
        guard !bytes.isEmpty else { return }
        hash.update(bytes.span)
        size += bytes.count
        if file == nil {
            if try existing?.read(at: Int64(matched), count: bytes.count) == bytes {
                matched += bytes.count
                return
            }
            try begin()
        }
        try file?.append(bytes)
    }

    /// The digest of all bytes so far.
    var digest: String { hash.finish().hex }

    /// Returns whether the existing file has other bytes, or is missing.
    func isChanged() throws(OutletError) -> Bool {
        if file == nil, try existing?.size() != matched { try begin() }
        return file != nil
    }

    /// Replaces the existing file.
    func commit() throws(OutletError) {
        if let file = file.take() { _ = try file.commit() }
    }

    /// Starts a new file with the equal bytes so far, after the first difference.
    private func begin() throws(OutletError) {
        var copy = try folder.newFile(name)
        var offset = 0
        while offset < matched {
            let count = min(Self.blockBytes, matched - offset)
            guard let block = try existing?.read(at: Int64(offset), count: count),
                block.count == count
            else { throw .io(path: folder.display(name), doing: "read", cause: .cutShort) }
            try copy.append(block)
            offset += count
        }
        file = consume copy
    }
}
