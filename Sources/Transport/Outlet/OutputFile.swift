import Glibc

/// A file that is being written, and that appears under its name when it is committed.
///
/// Small writes are collected in a buffer of 64 KB. A file that is not committed is removed.
package struct OutputFile: ~Copyable, Sendable {
    private static let bufferBytes = 65_536

    private let name: RelativePath
    private let output: OutputFolder
    private let temporaryFolder: SharedDescriptor
    private let temporaryName: FilePath
    private let descriptor: Descriptor
    private var buffer: [UInt8] = []
    private var isCommitted = false
    package private(set) var size = 0

    init(
        name: RelativePath, output: OutputFolder, temporaryFolder: SharedDescriptor,
        temporaryName: FilePath, descriptor: consuming Descriptor
    ) {
        self.name = name
        self.output = output
        self.temporaryFolder = temporaryFolder
        self.temporaryName = temporaryName
        self.descriptor = descriptor
    }

    deinit {
        guard !isCommitted else { return }
        // A failure is ignored, since the next run clears the temporary folder.
        try? SystemCalls.unlink(temporaryName, in: temporaryFolder.number)
    }

    package mutating func append(_ bytes: Span<UInt8>) throws(OutletError) {
        size += bytes.count
        if buffer.isEmpty, bytes.count >= Self.bufferBytes { return try write(bytes) }
        unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Appends without using the buffer, which must be empty.
    mutating func appendDirectly(_ bytes: Span<UInt8>) throws(OutletError) {
        size += bytes.count
        try write(bytes)
    }

    package mutating func append(_ bytes: [UInt8]) throws(OutletError) {
        try append(bytes.span)
    }

    /// Renames the file to its final name. With `sync`, its bytes are on disk first.
    ///
    /// - Parameters:
    ///   - willReplace: Receives the metadata of the file that is about to be replaced, and may
    ///     move it away.
    ///   - keepsExisting: Returns whether the existing file is kept, and the new file discarded.
    @discardableResult
    package consuming func commit(
        sync: Bool = false, willReplace: (FileFacts) throws(OutletError) -> Void = { _ in },
        keepsExisting: (FileFacts) -> Bool = { _ in false }
    ) throws(OutletError) -> OutputFolder.Written {
        try flush()
        let number = descriptor.number
        let path = output.display(name)
        let facts = try OutletError.wrap(path, "write") { () throws(Errno) in
            if sync { try SystemCalls.sync(number) }
            return try SystemCalls.facts(of: number)
        }
        let standing: FileFacts?
        do throws(OutletError) {
            standing = try rename(keepsExisting, willReplace)
        } catch  where error.cause?.code == ENOENT {
            // The cached folder was moved or deleted; retry once with a new one.
            output.folders.clear()
            standing = try rename(keepsExisting, willReplace)
        }
        if let standing {
            return OutputFolder.Written(size: standing.size, modified: standing.modified)
        }
        isCommitted = true
        return OutputFolder.Written(size: size, modified: facts.modified)
    }

    /// Renames the file to its final name. Returns the metadata of the existing file if that file
    /// is kept instead.
    private func rename(
        _ keepsExisting: (FileFacts) -> Bool, _ willReplace: (FileFacts) throws(OutletError) -> Void
    ) throws(OutletError) -> FileFacts? {
        let folder = try output.folders.folder(of: name, create: true)
        let there = try output.entry(name, in: folder)
        if let there, there.kind != .file {
            throw .inTheWay(path: output.display(name), what: there.kind)
        }
        if let there {
            if keepsExisting(there) { return there }
            try willReplace(there)
        }
        try OutletError.wrap(output.display(name), "write") { () throws(Errno) in
            try SystemCalls.rename(
                temporaryName, in: temporaryFolder.number, to: FilePath(name.name),
                in: folder.number)
        }
        return nil
    }

    /// Hands the collected bytes to the system.
    package mutating func flush() throws(OutletError) {
        guard !buffer.isEmpty else { return }
        try write(buffer.span)
        buffer.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: Span<UInt8>) throws(OutletError) {
        try OutletError.wrap(output.display(name), "write") { () throws(Errno) in
            try SystemCalls.write(descriptor.number, bytes)
        }
    }
}
