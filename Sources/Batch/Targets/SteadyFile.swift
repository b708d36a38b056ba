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
    private let willReplace: ((FileFacts) throws(OutletError) -> Void)?
    /// The number of equal bytes so far.
    private var matched = 0
    private var file: OutputFile?
    private var hash = SHA256()
    private(set) var size = 0

    /// - Parameter willReplace: Called before a different file is replaced.
    init(
        _ name: RelativePath, in folder: OutputFolder,
        willReplace: ((FileFacts) throws(OutletError) -> Void)? = nil
    ) throws(OutletError) {
        self.willReplace = willReplace
        self.name = name
        self.folder = folder
        // An unreadable file is written again; if that fails too, the error is reported.
        existing = try? folder.open(name)
        if existing == nil { file = try folder.newFile(name) }
    }

    /// Writes a whole file; true if it changed.
    static func write(
        _ bytes: [UInt8], to name: RelativePath, in folder: OutputFolder,
        willReplace: ((FileFacts) throws(OutletError) -> Void)? = nil
    ) throws(OutletError) -> Bool {
        let file = try SteadyFile(name, in: folder, willReplace: willReplace)
        try file.append(bytes)
        return try file.finish().isNew
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

    /// Returns the digest of all bytes, and whether the file changed.
    func finish() throws(OutletError) -> (digest: String, isNew: Bool) {
        if file == nil, try existing?.size() != matched { try begin() }
        let isNew = file != nil
        if let file = file.take() {
            _ = try file.commit(
                willReplace: { [willReplace] there throws(OutletError) in try willReplace?(there) })
        }
        return (hash.finish().hex, isNew)
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
