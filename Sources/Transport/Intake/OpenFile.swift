import Digest
import Glibc
import Notation
import System

/// A regular file that is open for reading, with its metadata when it was opened.
package struct OpenFile: ~Copyable, Sendable {
    private let descriptor: Descriptor
    package let facts: FileFacts

    /// Opens the file. A FIFO without a writer is refused instead of blocking.
    package init(_ path: FilePath) throws(IntakeError) {
        let descriptor = try rethrowing(as: IntakeError.init(opening:)) { () throws(Errno) in
            try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        }
        let number = descriptor.number
        let facts = try rethrowing(as: IntakeError.init(opening:)) { () throws(Errno) in
            try SystemCalls.facts(of: number)
        }
        guard facts.kind == .file else { throw .unreadable(facts.kind.refusal) }
        self.descriptor = descriptor
        self.facts = facts
    }

    /// Takes ownership of a descriptor of a regular file.
    init(owning descriptor: consuming Descriptor) throws(Errno) {
        facts = try SystemCalls.facts(of: descriptor.number)
        self.descriptor = descriptor
    }

    package var size: Int { facts.size }

    /// Returns the first bytes, at most `count`, without moving the position of later reads.
    package func head(_ count: Int) throws(IntakeError) -> [UInt8] {
        try readBytes(limit: max(0, count), expecting: min(size, count)).bytes
    }

    /// Returns all bytes. A file larger than `limit` is refused before more is read, even if it
    /// grows.
    package func readAll(limit: Int) throws(IntakeError) -> [UInt8] {
        guard size <= limit else { throw .tooLarge(limit: limit) }
        let (bytes, hasMore) = try readBytes(limit: limit, expecting: size)
        guard !hasMore else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// Returns up to `count` bytes from `offset` on; none at the end.
    package func read(at offset: Int, count: Int) throws(IntakeError) -> [UInt8] {
        var bytes: [UInt8] = []
        try rethrowing(as: IntakeError.init(reading:)) { () throws(Errno) in
            _ = try unsafe bytes.appendBytes(count) { buffer throws(Errno) in
                try unsafe SystemCalls.read(descriptor.number, at: Int64(offset), into: buffer)
            }
        }
        return bytes
    }

    private static let blockBytes = 256 << 10

    /// Returns the block at `offset` and advances `offset`; nil at the end.
    ///
    /// If the file has grown since it was opened, the blocks hold one byte more than its former
    /// size, so that the digest differs.
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
        try rethrowing(as: IntakeError.init(reading:)) { () throws(Errno) in
            try gather(limit: limit, expecting: expecting)
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

package enum FileIntake {
    package static func facts(of path: FilePath) throws(IntakeError) -> FileFacts {
        try rethrowing(as: IntakeError.init(opening:)) { () throws(Errno) in
            try SystemCalls.facts(of: path, followLinks: true)
        }
    }

    /// Returns the bytes of a file, at most `bytesLimit`, and its facts.
    package static func read(
        _ path: FilePath, bytesLimit: Int
    ) throws(IntakeError) -> (bytes: [UInt8], facts: FileFacts) {
        let file = try OpenFile(path)
        return (try file.readAll(limit: bytesLimit), file.facts)
    }
}

package enum StandardInput {
    /// Returns all bytes up to the end of the stream; more than `bytesLimit` are refused.
    package static func read(bytesLimit: Int) throws(IntakeError) -> [UInt8] {
        try read(from: STDIN_FILENO, bytesLimit: bytesLimit)
    }

    /// Returns all bytes of an open stream, such as a pipe.
    package static func read(
        from descriptor: Int32, bytesLimit: Int
    ) throws(IntakeError) -> [UInt8] {
        let (bytes, hasMore) = try rethrowing(as: IntakeError.init(reading:)) {
            () throws(Errno) in
            try unsafe ByteGathering.gather(limit: bytesLimit, expecting: 65_536) {
                _, buffer throws(Errno) in
                try unsafe SystemCalls.read(descriptor, into: buffer)
            }
        }
        if hasMore { throw .tooLarge(limit: bytesLimit) }
        return bytes
    }
}

extension IntakeError {
    init(opening error: Errno) {
        switch error.code {
        case ENOENT, ENOTDIR: self = .notFound(error)
        case EMFILE, ENFILE: self = .noDescriptors(error)
        default: self.init(reading: error)
        }
    }

    package init(reading error: Errno) { self = .unreadable("\(error)") }
}

extension FileFacts.Kind {
    /// The reason why an entry of this kind is not read as an image.
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

enum ByteGathering {
    /// Returns up to `limit` bytes, read in pieces of at least 64 KB, and whether the stream has
    /// more.
    ///
    /// `expecting` is the size of the first piece. A file of known size then takes two calls: the
    /// second finds the end.
    static func gather(
        limit: Int, expecting: Int,
        _ read: (Int, UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    ) throws(Errno) -> (bytes: [UInt8], hasMore: Bool) {
        let ceiling = limit == .max ? limit : limit + 1
        var bytes: [UInt8] = []
        var piece = max(1, min(expecting + 1, ceiling))
        while true {
            let have = bytes.count
            if have == ceiling {
                bytes.removeLast()
                return (bytes, true)
            }
            let room = min(piece, ceiling - have)
            let taken = try unsafe bytes.appendBytes(room) { buffer throws(Errno) in
                try unsafe read(have, buffer)
            }
            if taken == 0 { return (bytes, false) }
            // Doubling keeps the number of copies small; the limit bounds the total.
            piece = taken < room ? room - taken : max(65_536, bytes.count)
        }
    }
}

extension [UInt8] {
    /// Appends the bytes that `fill` writes into `room` bytes, and returns their number.
    mutating func appendBytes<Failure: Error>(
        _ room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        var taken = 0
        try append(addingCapacity: room) { span throws(Failure) in
            try unsafe span.withUnsafeMutableBufferPointer { buffer, count throws(Failure) in
                taken = try unsafe fill(
                    UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: room))
                count = taken
            }
        }
        return taken
    }
}

/// The reason why the bytes of a source cannot be read.
package enum IntakeError: Error, Hashable, Sendable {
    case missingURL
    case badURL(String)
    case unsupportedScheme(String)
    case notFound(Errno)
    case noIcon(String)
    /// The source exists but cannot be read as a file.
    case unreadable(String)
    case tooLarge(limit: Int)
    /// No file descriptor was free; a later attempt may succeed.
    case noDescriptors(Errno)

    /// Whether a retry can succeed.
    package var isRetryable: Bool {
        if case .noDescriptors = self { true } else { false }
    }
}

extension IntakeError: CustomStringConvertible {
    /// The text for the journal and for messages; the manifest has a fixed text for each error
    /// class.
    package var description: String {
        switch self {
        case .missingURL: "no source is given"
        case .badURL(let reason): reason
        case .unsupportedScheme(let reason): reason
        case .notFound(let cause): "\(cause)"
        case .noIcon(let name): "unknown built-in icon \(PrintableText.escaped(name))"
        case .unreadable(let reason): reason
        case .tooLarge(let limit): "it has more than \(limit) bytes; raise --max-bytes"
        case .noDescriptors(let cause): "\(cause); raise `ulimit -n`, or use fewer --jobs"
        }
    }
}
