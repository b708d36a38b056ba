import Digest
import Glibc

/// A picture file that was opened and found to be a regular file.
package struct OpenFile: ~Copyable, Sendable {
    private let descriptor: Descriptor
    package let facts: FileFacts

    /// Opens without ever waiting: a FIFO nobody writes to is refused, not waited for.
    package init(_ path: FilePath) throws(IntakeError) {
        let descriptor = try Self.open(path)
        let facts = try Self.facts(of: descriptor)
        guard facts.kind == .file else { throw .unreadable(facts.kind.refusal) }
        self.descriptor = descriptor
        self.facts = facts
    }

    /// Takes over a descriptor of a regular file.
    init(owning descriptor: consuming Descriptor) throws(Errno) {
        facts = try SystemCalls.facts(of: descriptor.number)
        self.descriptor = descriptor
    }

    private static func open(_ path: FilePath) throws(IntakeError) -> Descriptor {
        do throws(Errno) {
            return try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            throw IntakeError(opening: error)
        }
    }

    private static func facts(of descriptor: borrowing Descriptor) throws(IntakeError) -> FileFacts
    {
        do throws(Errno) {
            return try SystemCalls.facts(of: descriptor.number)
        } catch {
            throw IntakeError(opening: error)
        }
    }

    package var size: Int { facts.size }

    /// The first bytes, at most `count`; what comes after can still be read.
    package func head(_ count: Int) throws(IntakeError) -> [UInt8] {
        try readBytes(limit: max(0, count), expecting: min(size, count)).bytes
    }

    /// All bytes. A file larger than `limit`, declared or grown, is refused before more is held.
    package func readAll(limit: Int) throws(IntakeError) -> [UInt8] {
        guard size <= limit else { throw .tooLarge(limit: limit) }
        let (bytes, hasMore) = try readBytes(limit: limit, expecting: size)
        guard !hasMore else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// Up to `count` bytes from `offset` on; none at the end.
    package func read(at offset: Int, count: Int) throws(IntakeError) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(Errno) {
            _ = try unsafe bytes.appendBytes(count) { buffer throws(Errno) in
                try unsafe SystemCalls.read(descriptor.number, at: Int64(offset), into: buffer)
            }
        } catch {
            throw .unreadable("\(error)")
        }
        return bytes
    }

    private static let blockBytes = 256 << 10

    /// Returns the block that begins at `offset` and moves `offset` behind it; nil at the end.
    ///
    /// Of a file that grew, one byte more than its size is returned, so that its digest differs.
    package func nextBlock(from offset: inout Int) throws(Errno) -> [UInt8]? {
        guard offset <= size else { return nil }
        let (start, count) = (Int64(offset), min(Self.blockBytes, size - offset + 1))
        var block: [UInt8] = []
        offset += try unsafe block.appendBytes(count) { buffer throws(Errno) in
            try unsafe SystemCalls.read(descriptor.number, at: start, into: buffer)
        }
        return block.isEmpty ? nil : block
    }

    /// Returns the digest of the contents, which are read block by block.
    package func digest() throws(Errno) -> Digest256 {
        var hash = SHA256()
        var offset = 0
        while let block = try nextBlock(from: &offset) { hash.update(block.span) }
        return hash.finish()
    }

    private func readBytes(
        limit: Int, expecting: Int
    ) throws(IntakeError) -> (bytes: [UInt8], hasMore: Bool) {
        do throws(Errno) {
            return try gather(limit: limit, expecting: expecting)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    func gather(
        limit: Int, expecting: Int
    ) throws(Errno) -> (bytes: [UInt8], hasMore: Bool) {
        try unsafe ByteGathering.gather(limit: limit, expecting: expecting) {
            offset, buffer throws(Errno) in
            try unsafe SystemCalls.read(descriptor.number, at: Int64(offset), into: buffer)
        }
    }
}

/// Reads local pictures whole.
package enum FileIntake {
    /// What a path leads to, links followed, without opening it.
    package static func facts(of path: FilePath) throws(IntakeError) -> FileFacts {
        do throws(Errno) {
            return try SystemCalls.facts(of: path, followLinks: true)
        } catch {
            throw IntakeError(opening: error)
        }
    }

    /// The bytes of a file, at most `bytesLimit`, and what the system says of it.
    package static func read(
        _ path: FilePath, bytesLimit: Int
    ) throws(IntakeError) -> (bytes: [UInt8], facts: FileFacts) {
        let file = try OpenFile(path)
        return (try file.readAll(limit: bytesLimit), file.facts)
    }
}

/// Reads the one picture that arrives on standard input.
package enum StandardInput {
    /// All bytes up to the end of the stream; more than `bytesLimit` are refused.
    package static func read(bytesLimit: Int) throws(IntakeError) -> [UInt8] {
        try read(from: STDIN_FILENO, bytesLimit: bytesLimit)
    }

    /// The same from any stream that is open, such as a pipe.
    package static func read(
        from descriptor: Int32, bytesLimit: Int
    ) throws(IntakeError) -> [UInt8] {
        do throws(Errno) {
            let (bytes, hasMore) = try unsafe ByteGathering.gather(
                limit: bytesLimit, expecting: 65_536
            ) {
                _, buffer throws(Errno) in
                try unsafe SystemCalls.read(descriptor, into: buffer)
            }
            if !hasMore { return bytes }
        } catch {
            throw .unreadable("\(error)")
        }
        throw .tooLarge(limit: bytesLimit)
    }
}

extension IntakeError {
    /// The class of a failure to open a source.
    init(opening error: Errno) {
        switch error.code {
        case ENOENT, ENOTDIR: self = .notFound(error)
        case EMFILE, ENFILE: self = .noDescriptors(error)
        default: self = .unreadable("\(error)")
        }
    }
}

extension FileFacts.Kind {
    /// Why a thing of this kind is not read as a picture.
    var refusal: String {
        switch self {
        case .file: "it is a file"
        case .folder: "it is a folder"
        case .link: "it is a symbolic link"
        case .fifo: "it is a FIFO, not a file"
        case .socket: "it is a socket, not a file"
        case .device: "it is a device, not a file"
        case .unknown: "it is not a file"
        }
    }
}
