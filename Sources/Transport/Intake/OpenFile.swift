import Digest
import Glibc
import System

/// A regular file that is open for reading, with its metadata when it was opened.
package struct OpenFile: ~Copyable, Sendable {
    private static let blockBytes = 256 << 10

    private let descriptor: Descriptor
    package let facts: FileFacts

    /// Opens the file. A FIFO without a writer is refused instead of blocking.
    package init(_ path: FilePath) throws(ItemFailure) {
        let file = try rethrowing(as: ItemFailure.init) { () throws(Errno) in
            try OpenFile(owning: SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
        }
        let facts = file.facts
        guard facts.kind == .file else {
            let isNamed = [.folder, .link].contains(facts.kind)
            throw ItemFailure(
                .unreadable, "it is \(facts.kind.phrase)" + (isNamed ? "" : ", not a file"))
        }
        self = file
    }

    /// Takes ownership of a descriptor of a regular file.
    init(owning descriptor: consuming Descriptor) throws(Errno) {
        facts = try SystemCalls.facts(of: descriptor.number)
        self.descriptor = descriptor
    }

    package var size: Int { facts.size }

    /// Returns the first bytes, at most `count`, without moving the position of later reads.
    package func head(_ count: Int) throws(ItemFailure) -> [UInt8] {
        try bytes(limit: max(0, count), expecting: min(size, count)).bytes
    }

    /// Returns all bytes. A file larger than `limit` is refused before more is read, even if it
    /// grows.
    package func readAll(limit: Int) throws(ItemFailure) -> [UInt8] {
        guard size <= limit else { throw ItemFailure(tooLarge: limit) }
        let (bytes, hasMore) = try bytes(limit: limit, expecting: size)
        guard !hasMore else { throw ItemFailure(tooLarge: limit) }
        return bytes
    }

    /// Returns up to `count` bytes from `offset` on; none at the end.
    package func read(at offset: Int, count: Int) throws(ItemFailure) -> [UInt8] {
        try rethrowing(as: ItemFailure.init) { () throws(Errno) in
            try block(at: offset, count)
        }
    }

    /// Returns the block at `offset` and advances `offset`; nil at the end.
    ///
    /// If the file has grown since it was opened, the blocks hold one byte more than its former
    /// size, so that the digest differs.
    package func nextBlock(from offset: inout Int) throws(Errno) -> [UInt8]? {
        guard offset <= size else { return nil }
        let block = try block(at: offset, min(Self.blockBytes, size - offset + 1))
        offset += block.count
        return block.isEmpty ? nil : block
    }

    /// Returns the digest of the contents, which are read block by block.
    package func digest() throws(Errno) -> Digest256 {
        var hash = SHA256()
        var offset = 0
        while let block = try nextBlock(from: &offset) { hash.update(block.span) }
        return hash.finish()
    }

    private func block(at offset: Int, _ count: Int) throws(Errno) -> [UInt8] {
        var block: [UInt8] = []
        _ = try unsafe block.appendBytes(count) { buffer throws(Errno) in
            try unsafe SystemCalls.read(descriptor.number, at: Int64(offset), into: buffer)
        }
        return block
    }

    private func bytes(
        limit: Int, expecting: Int
    ) throws(ItemFailure) -> (bytes: [UInt8], hasMore: Bool) {
        try rethrowing(as: ItemFailure.init) { () throws(Errno) in
            try gather(limit: limit, expecting: expecting)
        }
    }

    func gather(
        limit: Int, expecting: Int
    ) throws(Errno) -> (bytes: [UInt8], hasMore: Bool) {
        try SystemCalls.readAll(descriptor.number, from: 0, limit: limit, expecting: expecting)
    }
}

package enum FileIntake {
    package static func facts(of path: FilePath) throws(ItemFailure) -> FileFacts {
        try rethrowing(as: ItemFailure.init) { () throws(Errno) in
            try SystemCalls.facts(of: path, followLinks: true)
        }
    }

    /// Returns the bytes of a file, at most `bytesLimit`, and its facts.
    package static func read(
        _ path: FilePath, bytesLimit: Int
    ) throws(ItemFailure) -> (bytes: [UInt8], facts: FileFacts) {
        let file = try OpenFile(path)
        return (try file.readAll(limit: bytesLimit), file.facts)
    }
}

package enum StandardInput {
    /// Returns all bytes of an open stream, such as a pipe; more than `bytesLimit` are refused.
    package static func read(
        from descriptor: Int32 = STDIN_FILENO, bytesLimit: Int
    ) throws(ItemFailure) -> [UInt8] {
        let (bytes, hasMore) = try rethrowing(as: ItemFailure.init) { () throws(Errno) in
            try SystemCalls.readAll(descriptor, limit: bytesLimit, expecting: 65_536)
        }
        if hasMore { throw ItemFailure(tooLarge: bytesLimit) }
        return bytes
    }
}

extension ItemFailure {
    /// Classifies a failure to open or read a file.
    package init(_ error: Errno) {
        switch error.code {
        case ENOENT, ENOTDIR: self.init(.notFound, "\(error)")
        // A later attempt may find a free descriptor.
        case EMFILE, ENFILE:
            self.init(
                .unreadable, "\(error)", remedy: "raise `ulimit -n`, or use fewer --jobs",
                isRetryable: true)
        default: self.init(.unreadable, "\(error)")
        }
    }

    package init(tooLarge limit: Int) {
        self.init(
            .tooLarge, "it has more than \(limit) bytes", remedy: "raise --max-bytes")
    }
}
