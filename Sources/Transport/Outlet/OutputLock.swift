import Glibc

/// The exclusive right to write to an output folder, until it is released or the process ends.
package struct OutputLock: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// Takes the lock and removes temporary files of a killed run. If another process holds the
    /// lock, the error names that process.
    package init(_ output: OutputFolder) throws(OutletError) {
        let name = RelativePath.own("lock")
        let path = output.display(name)
        let descriptor = try output.openInPlace(name, O_RDWR | O_CREAT)
        do throws(Errno) {
            try SystemCalls.lock(descriptor.number)
            try SystemCalls.truncate(descriptor.number, to: 0)
            try SystemCalls.write(descriptor.number, Array("\(getpid())\n".utf8).span, at: 0)
        } catch  where error.code == EWOULDBLOCK {
            throw .held(path: output.path.description, pid: Self.holder(descriptor.number))
        } catch {
            throw .io(path: path, doing: "lock", cause: error)
        }
        try Self.removeStrays(output)
        self.descriptor = descriptor
    }

    /// Unlocks explicitly, since a child process that another thread is starting may hold a copy of
    /// the descriptor for a moment.
    deinit {
        _ = flock(descriptor.number, LOCK_UN)
    }

    private static func holder(_ descriptor: Int32) -> Int? {
        let gathered = try? SystemCalls.readAll(descriptor, from: 0, limit: 32, expecting: 32)
        guard let (bytes, _) = gathered else { return nil }
        return Int(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// Removes temporary files of a killed run: only regular files with names that the program
    /// creates.
    private static func removeStrays(_ output: OutputFolder) throws(OutletError) {
        let folder = try output.temporaryFolder()
        try OutletError.wrap(output.display(.own("tmp")), "clear") { () throws(Errno) in
            for entry in try SystemCalls.list(FilePath("."), in: folder.number)
            where isStray(entry) {
                try SystemCalls.unlink(FilePath(bytes: entry.name), in: folder.number)
            }
        }
    }

    private static func isStray(_ entry: FolderEntry) -> Bool {
        guard entry.kind ?? .file == .file,
            entry.name.starts(with: OutputFolder.temporaryPrefix.utf8)
        else { return false }
        let tail = entry.name.dropFirst(OutputFolder.temporaryPrefix.utf8.count)
        return tail.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
