import Digest
import Glibc
import Synchronization
import System

/// A folder that a run writes to: OUT, or the folder of a target.
///
/// A file appears completely or not at all: it is written under a temporary name in `.emblem/tmp`
/// and then renamed. Regular files are replaced, even read-only ones and hard links. A folder,
/// link, FIFO, socket or device at the path is kept and reported. The folder itself may be a
/// symbolic link, which is followed once, when it is opened; below it no link is followed.
package final class OutputFolder: Sendable {
    /// The subfolder for the state of the program.
    package static let ownName = ".emblem"
    static let temporaryPrefix = "new-"

    package let path: FilePath
    /// The identity of the folder, so that a walk through the inputs can skip it.
    package let identity: FileIdentity
    let root: SharedDescriptor
    let folders: FolderCache
    private let temporary: Mutex<SharedDescriptor?>
    private let counter = Atomic<UInt64>(0)

    /// Opens the folder; creates it with its parents if it is missing.
    package init(_ path: FilePath) throws(OutletError) {
        self.path = path
        do throws(Errno) {
            let descriptor = try SystemCalls.openFolder(path.withoutTrailingSlashes)
            identity = try SystemCalls.facts(of: descriptor.number).identity
            root = SharedDescriptor(descriptor)
        } catch  where error.code == ENOTDIR {
            throw .inTheWay(path: path.description, what: .file)
        } catch {
            throw OutletError(making: path.description, error)
        }
        folders = FolderCache(root: root, rootName: path.withoutTrailingSlashes.description)
        temporary = Mutex(nil)
    }

    /// The size and time of a file that was written or kept.
    package struct Written: Hashable, Sendable {
        package let size: Int
        /// Nanoseconds since 1970, from the file system.
        package let modified: Int64
    }

    /// Writes the bytes to the file `name`, completely or not at all.
    ///
    /// - Parameters:
    ///   - keepsEqual: Whether an existing file with equal bytes is kept, with its inode and time.
    ///   - willReplace: Receives the metadata of the file that is about to be replaced, and may
    ///     move it away.
    @discardableResult
    package func write(
        _ bytes: Span<UInt8>, to name: RelativePath, keepsEqual: Bool = false,
        willReplace: (FileFacts) throws(OutletError) -> Void = { _ in }
    ) throws(OutletError) -> Written {
        var file = try newFile(name)
        try file.appendDirectly(bytes)
        return try file.commit(
            willReplace: willReplace,
            keepsExisting: { keepsEqual && $0.size == bytes.count && holds(bytes, under: name) })
    }

    /// Returns a file to write piece by piece, which appears under `name` when it is committed.
    package func newFile(_ name: RelativePath) throws(OutletError) -> OutputFile {
        // If a temporary name is taken, perhaps by another program, the next name is tried. If the
        // temporary folder was deleted, it is created again, once.
        var cause = Errno(EEXIST)
        for attempt in 0..<100 {
            let folder = try temporaryFolder()
            let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
            let temporaryName = FilePath("\(Self.temporaryPrefix)\(getpid())-\(number)")
            do throws(Errno) {
                let descriptor = try SystemCalls.open(
                    temporaryName, in: folder.number, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
                return OutputFile(
                    name: name, output: self, temporaryFolder: folder,
                    temporaryName: temporaryName, descriptor: descriptor)
            } catch  where error.code == EEXIST {
                continue
            } catch  where error.code == ENOENT && attempt == 0 {
                temporary.withLock { $0 = nil }
                folders.clear()
                cause = error
            } catch {
                throw OutletError(making: display(name), error)
            }
        }
        throw OutletError(making: display(name), cause)
    }

    /// Returns the facts of the regular file `name`; nil if there is none.
    package func facts(of name: RelativePath) throws(OutletError) -> FileFacts? {
        let facts = try obstacle(at: name)
        return facts?.kind == .file ? facts : nil
    }

    /// Returns the facts of an entry of any kind at the path of a file; nil if there is none.
    package func obstacle(at name: RelativePath) throws(OutletError) -> FileFacts? {
        try Self.ifPresent { () throws(OutletError) in
            let folder = try folders.folder(of: name, create: false)
            return try entry(name, in: folder)
        }
    }

    package func exists(_ name: RelativePath) throws(OutletError) -> Bool {
        try facts(of: name) != nil
    }

    /// Opens a file of the program for reading in parts; nil if it does not exist.
    package func open(_ name: RelativePath) throws(OutletError) -> AppendFile? {
        guard try exists(name) else { return nil }
        return try AppendFile(reading: name, in: self)
    }

    /// Opens a file of the program that is written in place. It must be a regular file with a
    /// single hard link: a planted link could lead to a file of another program.
    func openInPlace(_ name: RelativePath, _ flags: Int32) throws(OutletError) -> Descriptor {
        let path = display(name)
        let folder = try folders.folder(of: name, create: true)
        if let there = try entry(name, in: folder), there.kind != .file {
            throw .inTheWay(path: path, what: there.kind)
        }
        let descriptor = try rethrowing(
            SystemCalls.open(
                FilePath(name.name), in: folder.number, flags | O_NOFOLLOW | O_NONBLOCK)
        ) { (error: Errno) in
            OutletError(making: path, error)
        }
        let number = descriptor.number
        let facts = try OutletError.wrap(path, "look at") { () throws(Errno) in
            try SystemCalls.facts(of: number)
        }
        guard facts.kind == .file else { throw .inTheWay(path: path, what: facts.kind) }
        guard facts.links <= 1 else { throw .shared(path: path) }
        return descriptor
    }

    /// Renames a file of the program; returns false if it does not exist.
    @discardableResult
    package func move(_ name: RelativePath, to other: RelativePath) throws(OutletError) -> Bool {
        guard try exists(name) else { return false }
        let folder = try folders.folder(of: name, create: false)
        let target = try folders.folder(of: other, create: true)
        if let there = try entry(other, in: target), there.kind != .file {
            throw .inTheWay(path: display(other), what: there.kind)
        }
        try OutletError.wrap(display(other), "write") { () throws(Errno) in
            try SystemCalls.rename(
                FilePath(name.name), in: folder.number, to: FilePath(other.name),
                in: target.number)
        }
        return true
    }

    /// Gives a file a second name; does nothing if that name is taken.
    package func link(_ name: RelativePath, to other: RelativePath) throws(OutletError) {
        let folder = try folders.folder(of: name, create: false)
        let target = try folders.folder(of: other, create: true)
        do throws(Errno) {
            try SystemCalls.link(
                FilePath(name.name), in: folder.number, to: FilePath(other.name),
                in: target.number)
        } catch  where error.code == EEXIST {
            return
        } catch {
            throw .io(path: display(other), doing: "write", cause: error)
        }
    }

    /// Removes all files of the folder of `name`, which belongs to the program. Returns false if there
    /// is no such folder.
    package func removeFiles(besides name: RelativePath) throws(OutletError) -> Bool {
        let found = try Self.ifPresent { () throws(OutletError) in
            try folders.folder(of: name, create: false)
        }
        guard let folder = found else { return false }
        try OutletError.wrap(display(name), "clear") { () throws(Errno) in
            for entry in try SystemCalls.list(FilePath("."), in: folder.number)
            where entry.kind ?? .file == .file {
                try SystemCalls.unlink(FilePath(bytes: entry.name), in: folder.number)
            }
        }
        return true
    }

    /// Removes a file that an earlier run wrote; does nothing if it does not exist.
    package func remove(_ name: RelativePath) throws(OutletError) {
        try change(name, "remove") { file, folder throws(Errno) in
            try SystemCalls.unlink(file, in: folder)
        }
    }

    /// Sets the modification time of the file to now, or to `seconds` after 1970. Does nothing if
    /// the file does not exist.
    package func touch(_ name: RelativePath, at seconds: Int? = nil) throws(OutletError) {
        try change(name, "write") { file, folder throws(Errno) in
            try SystemCalls.touch(file, in: folder, at: seconds)
        }
    }

    /// Runs a system call on a file and its open folder, if the file exists.
    private func change(
        _ name: RelativePath, _ doing: String, _ call: (FilePath, Int32) throws(Errno) -> Void
    ) throws(OutletError) {
        guard try exists(name) else { return }
        let folder = try folders.folder(of: name, create: false)
        try OutletError.wrap(display(name), doing) { () throws(Errno) in
            try call(FilePath(name.name), folder.number)
        }
    }

    /// Removes the parent folders of `name` that are empty, innermost first.
    package func removeEmptyFolders(of name: RelativePath) {
        var path = name
        while let outer = path.parent {
            do {
                let folder = try folders.folder(of: outer, create: false)
                try SystemCalls.removeFolder(FilePath(outer.name), in: folder.number)
                folders.clear()
            } catch {
                // The folder is not empty, or cannot be removed.
                return
            }
            path = outer
        }
    }

    /// Checks that every folder that was written to is still at its path.
    ///
    /// - Throws: Exit code 74 if one was moved or deleted, since its files are lost.
    package func checkFolders() throws(OutletError) {
        guard let path = folders.lostFolder() else { return }
        throw .io(path: path, doing: "find the files written to", cause: Errno(ENOENT))
    }

    /// Waits until the directory that contains `name` is on disk.
    package func syncFolder(of name: RelativePath) throws(OutletError) {
        let folder = try folders.folder(of: name, create: true)
        do throws(Errno) {
            try SystemCalls.sync(folder.number)
        } catch  where error.code == EINVAL {
            // Some file systems cannot sync a single folder.
            try syncAll()
        } catch {
            throw .io(path: display(name), doing: "sync", cause: error)
        }
    }

    /// Waits until all earlier writes to the file system are on disk, including those of other
    /// processes.
    package func syncAll() throws(OutletError) {
        try OutletError.wrap(path.description, "sync") { () throws(Errno) in
            try SystemCalls.syncFileSystem(of: root.number)
        }
    }

    /// Syncs the file systems of several folders, each once.
    package static func syncAll(_ folders: [OutputFolder]) throws(OutletError) {
        var devices: Set<UInt64> = []
        for folder in folders where devices.insert(folder.identity.device).inserted {
            try folder.syncAll()
        }
    }

    /// The path of `name` relative to the working folder of the run.
    package func display(_ name: RelativePath) -> String {
        path.appending(FilePath(name.text)).description
    }

    /// Returns the facts of the entry `name`, without following a link.
    func entry(
        _ name: RelativePath, in folder: SharedDescriptor
    ) throws(OutletError) -> FileFacts? {
        do throws(Errno) {
            return try SystemCalls.facts(
                of: FilePath(name.name), in: folder.number, followLinks: false)
        } catch  where error.code == ENOENT {
            return nil
        } catch {
            throw .io(path: display(name), doing: "look at", cause: error)
        }
    }

    /// Returns `.emblem/tmp`; creates it if it is missing.
    func temporaryFolder() throws(OutletError) -> SharedDescriptor {
        if let known = temporary.withLock({ $0 }) { return known }
        let found = try folders.folder(of: .own("tmp/x"), create: true)
        temporary.withLock { $0 = found }
        return found
    }
}

extension RelativePath {
    /// Returns a path in the subfolder for the state of the program; `tail` must be a literal.
    package static func own(_ tail: String) -> RelativePath {
        guard let path = RelativePath("\(OutputFolder.ownName)/\(tail)") else {
            preconditionFailure("The tail of a state path is not a relative path.")
        }
        return path
    }
}

/// Reading of files in the folder. Links are not followed.
extension OutputFolder {
    /// Returns the bytes of the file, at most `limit`; nil if there is none.
    package func read(_ name: RelativePath, limit: Int) throws(OutletError) -> [UInt8]? {
        guard let (bytes, hasMore) = try beginning(of: name, limit: limit) else { return nil }
        if hasMore { throw .io(path: display(name), doing: "read", cause: Errno(EFBIG)) }
        return bytes
    }

    /// Returns the first bytes of the file, and whether there are more; nil if there is no file.
    package func beginning(
        of name: RelativePath, limit: Int
    ) throws(OutletError) -> (bytes: [UInt8], hasMore: Bool)? {
        guard let file = try openFile(name) else { return nil }
        return try OutletError.wrap(display(name), "read") { () throws(Errno) in
            try file.gather(limit: limit, expecting: min(limit, 65_536))
        }
    }

    /// Returns the digest of a file of any size; nil if there is none.
    ///
    /// - Parameter fromDisk: Whether cached bytes are dropped first. After a failed sync, the cache
    ///   may have bytes that are not on the disk.
    package func digest(
        of name: RelativePath, fromDisk: Bool = false
    ) throws(OutletError) -> Digest256? {
        guard let file = try openFile(name, fromDisk: fromDisk) else { return nil }
        return try OutletError.wrap(display(name), "read") { () throws(Errno) in
            try file.digest()
        }
    }

    /// Returns whether the file holds exactly `bytes`; false if it cannot be read.
    func holds(_ bytes: Span<UInt8>, under name: RelativePath) -> Bool {
        do {
            guard let file = try openFile(name) else { return false }
            var offset = 0
            while let block = try file.nextBlock(from: &offset) {
                guard offset <= bytes.count else { return false }
                let start = offset - block.count
                for index in block.indices where block[index] != bytes[start + index] {
                    return false
                }
            }
            return offset == bytes.count
        } catch {
            return false
        }
    }

    private func openFile(
        _ name: RelativePath, fromDisk: Bool = false
    ) throws(OutletError) -> OpenFile? {
        try Self.ifPresent { () throws(OutletError) in
            let folder = try folders.folder(of: name, create: false)
            guard try entry(name, in: folder)?.kind == .file else { return nil }
            return try OutletError.wrap(display(name), "read") { () throws(Errno) -> OpenFile in
                let file = try SystemCalls.open(
                    FilePath(name.name), in: folder.number, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
                if fromDisk { SystemCalls.dropCache(of: file.number) }
                return try OpenFile(owning: file)
            }
        }
    }

    /// Returns the result of `body`, or nil if it fails because the folder or file does not exist.
    private static func ifPresent<Found: ~Copyable>(
        _ body: () throws(OutletError) -> Found?
    ) throws(OutletError) -> Found? {
        do throws(OutletError) {
            return try body()
        } catch  where error.cause?.code == ENOENT {
            return nil
        }
    }
}
