import Digest
import Glibc

/// Files of the folder that are read; links are not followed.
extension OutputFolder {
    /// The bytes of the file under `name`, at most `limit`; nil if there is none.
    package func read(_ name: RelativePath, limit: Int) throws(OutletError) -> [UInt8]? {
        guard let (bytes, hasMore) = try beginning(of: name, limit: limit) else { return nil }
        if hasMore { throw .io(path: display(name), doing: "read", cause: Errno(EFBIG)) }
        return bytes
    }

    /// The first bytes of the file under `name`, and whether there are more; nil if there is no file.
    package func beginning(
        of name: RelativePath, limit: Int
    ) throws(OutletError) -> (bytes: [UInt8], hasMore: Bool)? {
        guard let file = try openFile(name) else { return nil }
        return try OutletError.wrap(display(name), "read") { () throws(Errno) in
            try file.gather(limit: limit, expecting: min(limit, 65_536))
        }
    }

    /// The digest of the file under `name`, however large it is; nil if there is none.
    ///
    /// - Parameter fromDisk: bytes in memory that a failed sync did not bring to the disk do not count.
    package func digest(
        of name: RelativePath, fromDisk: Bool = false
    ) throws(OutletError) -> Digest256? {
        var hash = SHA256()
        let size = try forEachBlock(of: name, fromDisk: fromDisk) { hash.update($0.span) }
        return size == nil ? nil : hash.finish()
    }

    /// Passes the contents of the file under `name` to `body`, block by block.
    ///
    /// - Returns: the number of bytes; nil if there is no file.
    package func forEachBlock(
        of name: RelativePath, fromDisk: Bool = false,
        _ body: ([UInt8]) throws(OutletError) -> Void
    ) throws(OutletError) -> Int? {
        guard let file = try openFile(name, fromDisk: fromDisk) else { return nil }
        var offset = 0
        while true {
            let block = try OutletError.wrap(display(name), "read") { () throws(Errno) in
                try file.nextBlock(from: &offset)
            }
            guard let block else { return offset }
            try body(block)
        }
    }

    /// Whether the file under `name` holds `bytes` and nothing else; false also where it cannot be
    /// read.
    func holds(_ bytes: Span<UInt8>, under name: RelativePath) -> Bool {
        var offset = 0
        do throws(OutletError) {
            guard let file = try openFile(name) else { return false }
            while true {
                let start = offset
                let block = try OutletError.wrap(display(name), "read") { () throws(Errno) in
                    try file.nextBlock(from: &offset)
                }
                guard let block else { return start == bytes.count }
                guard block.count <= bytes.count - start else { return false }
                for index in block.indices where block[index] != bytes[start + index] {
                    return false
                }
            }
        } catch {
            return false
        }
    }

    /// Opens the regular file under `name`; nil if there is none.
    private func openFile(
        _ name: RelativePath, fromDisk: Bool = false
    ) throws(OutletError) -> OpenFile? {
        do throws(OutletError) {
            let folder = try folders.folder(of: name, create: false)
            guard try entry(name, in: folder)?.kind == .file else { return nil }
            return try OutletError.wrap(display(name), "read") { () throws(Errno) -> OpenFile in
                let file = try SystemCalls.open(
                    FilePath(name.name), in: folder.number, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
                if fromDisk { SystemCalls.dropCache(of: file.number) }
                return try OpenFile(owning: file)
            }
        } catch  where error.cause?.code == ENOENT {
            return nil
        }
    }
}
