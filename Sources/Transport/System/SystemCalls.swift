import CShims
import Glibc
import Synchronization

/// The system calls on files that the tool makes.
///
/// Every call is repeated after EINTR and reports a failure as `Errno`. A test can make each call
/// fail (`faults`); the check for that takes nanoseconds.
package enum SystemCalls {
    /// The faults for the current task, for tests only.
    @TaskLocal package static var faults: SystemFaults?

    /// The folder of relative paths if no other folder is given.
    static let workingFolder = AT_FDCWD

    static func open(
        _ path: FilePath, in folder: Int32 = workingFolder, _ flags: Int32,
        mode: mode_t = 0o666
    ) throws(Errno) -> Descriptor {
        let number = try unsafe withPath(.open, path) { path in
            unsafe openat(folder, path, flags | O_CLOEXEC, mode)
        }
        return Descriptor(owning: Int32(number))
    }

    /// Reads the available bytes, up to the length of `buffer`; 0 at the end.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try repeated(.read, count: buffer.count) { count in
            unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        }
    }

    /// Reads at an offset, so that several threads may read a file at once.
    static func read(
        _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try repeated(.read, count: buffer.count) { count in
            unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
        }
    }

    /// Writes everything; partial writes are continued.
    package static func write(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(Errno) {
        try unsafe writeAll(bytes) { pointer, count, _ in
            unsafe Glibc.write(descriptor, pointer, count)
        }
    }

    static func write(
        _ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(Errno) {
        try unsafe writeAll(bytes) { pointer, count, done in
            unsafe pwrite(descriptor, pointer, count, off_t(offset) + off_t(done))
        }
    }

    /// Returns up to `limit` bytes of a file, read in pieces of at least 64 KB, and whether it has
    /// more.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte; nil to continue at the position of the descriptor.
    ///   - expecting: The size of the first piece. A file of known size then takes two calls: the
    ///     second finds the end.
    static func readAll(
        _ descriptor: Int32, from offset: Int64? = nil, limit: Int, expecting: Int
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
                guard let offset else {
                    return try unsafe read(descriptor, into: buffer)
                }
                return try unsafe read(
                    descriptor, at: offset + Int64(have), into: buffer)
            }
            if taken == 0 { return (bytes, false) }
            // Doubling keeps the number of copies small; the limit bounds the total.
            piece = taken < room ? room - taken : max(65_536, bytes.count)
        }
    }

    static func facts(of descriptor: Int32) throws(Errno) -> FileFacts {
        var status = stat()
        _ = try repeated(.stat, count: 0) { _ in Int(unsafe fstat(descriptor, &status)) }
        return FileFacts(status)
    }

    static func facts(
        of path: FilePath, in folder: Int32 = workingFolder, followLinks: Bool
    ) throws(Errno) -> FileFacts {
        var status = stat()
        _ = try unsafe withPath(.stat, path) { path in
            unsafe fstatat(folder, path, &status, followLinks ? 0 : AT_SYMLINK_NOFOLLOW)
        }
        return FileFacts(status)
    }

    static func rename(
        _ old: FilePath, in oldFolder: Int32, to new: FilePath, in newFolder: Int32
    ) throws(Errno) {
        _ = try unsafe old.withCString { old throws(Errno) in
            try unsafe withPath(.rename, new) { new in
                unsafe renameat(oldFolder, old, newFolder, new)
            }
        }
    }

    static func link(
        _ old: FilePath, in oldFolder: Int32, to new: FilePath, in newFolder: Int32
    ) throws(Errno) {
        _ = try unsafe old.withCString { old throws(Errno) in
            try unsafe withPath(.rename, new) { new in
                unsafe linkat(oldFolder, old, newFolder, new, 0)
            }
        }
    }

    static func unlink(_ path: FilePath, in folder: Int32 = workingFolder) throws(Errno) {
        _ = try unsafe withPath(.unlink, path) { path in unsafe unlinkat(folder, path, 0) }
    }

    /// Sets the times of a file to now, or to `seconds` after 1970; does not follow links.
    static func touch(
        _ path: FilePath, in folder: Int32, at seconds: Int? = nil
    ) throws(Errno) {
        let time = timespec(tv_sec: seconds ?? 0, tv_nsec: 0)
        _ = try unsafe withPath(.open, path) { path in
            unsafe [time, time].withUnsafeBufferPointer { times in
                let times = seconds == nil ? nil : times.baseAddress
                return unsafe utimensat(folder, path, times, AT_SYMLINK_NOFOLLOW)
            }
        }
    }

    static func removeFolder(_ path: FilePath, in folder: Int32) throws(Errno) {
        _ = try unsafe withPath(.unlink, path) { path in
            unsafe unlinkat(folder, path, AT_REMOVEDIR)
        }
    }

    /// Makes a folder; does nothing if the name is taken.
    static func makeFolder(
        _ path: FilePath, in folder: Int32 = workingFolder, mode: mode_t = 0o777
    ) throws(Errno) {
        do throws(Errno) {
            _ = try unsafe withPath(.makeFolder, path) { path in
                unsafe mkdirat(folder, path, mode)
            }
        } catch  where error.code == EEXIST {
            // The caller opens the folder, which fails if it is something else.
        }
    }

    /// Opens a folder; creates it with its parents if it is missing.
    static func openFolder(_ path: FilePath, mode: mode_t = 0o777) throws(Errno) -> Descriptor {
        do throws(Errno) {
            return try open(path, O_RDONLY | O_DIRECTORY)
        } catch  where error.code == ENOENT {
            try makeWithParents(path.withoutTrailingSlashes, mode)
            return try open(path, O_RDONLY | O_DIRECTORY)
        }
    }

    private static func makeWithParents(_ path: FilePath, _ mode: mode_t) throws(Errno) {
        do throws(Errno) {
            try makeFolder(path, mode: mode)
        } catch  where error.code == ENOENT {
            let parent = path.folder.withoutTrailingSlashes
            guard parent.bytes.count < path.bytes.count, parent != FilePath(".") else {
                throw error
            }
            try makeWithParents(parent, mode)
            try makeFolder(path, mode: mode)
        }
    }

    static func sync(_ descriptor: Int32) throws(Errno) {
        _ = try repeated(.sync, count: 0) { _ in Int(fsync(descriptor)) }
    }

    /// Drops cached bytes that are already on the disk or that a failed write left behind, so that
    /// the next read comes from the disk. Without support for this, the read is a normal one.
    static func dropCache(of descriptor: Int32) {
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Waits until all writes to the file system of `descriptor` are on the disk.
    static func syncFileSystem(of descriptor: Int32) throws(Errno) {
        _ = try repeated(.sync, count: 0) { _ in Int(emb_syncfs(descriptor)) }
    }

    /// Locks the file for this process. Unless `waits` is set, fails at once with EWOULDBLOCK if
    /// another process has locked it.
    static func lock(_ descriptor: Int32, waits: Bool = false) throws(Errno) {
        _ = try repeated(.lock, count: 0) { _ in
            Int(flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB))
        }
    }

    static func truncate(_ descriptor: Int32, to size: Int64) throws(Errno) {
        _ = try repeated(.truncate, count: 0) { _ in Int(ftruncate(descriptor, off_t(size))) }
    }

    /// Returns all entries at once, for folders that the program created.
    static func list(_ path: FilePath, in folder: Int32) throws(Errno) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        try list(path, in: folder) { entries.append($0) }
        return entries
    }

    /// Opens, reads and closes the folder, and passes each entry except `.` and `..` to `take`.
    static func list(
        _ path: FilePath, in folder: Int32, _ take: (FolderEntry) -> Void
    ) throws(Errno) {
        let descriptor = try open(
            path, in: folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOFOLLOW)
        // `closedir` closes the descriptor of the stream, so the stream receives a copy.
        let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Errno(errno) }
        guard let stream = unsafe fdopendir(copy) else {
            let code = errno
            close(copy)
            throw Errno(code)
        }
        defer { unsafe closedir(stream) }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe name(of: entry)
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            take(FolderEntry(name: name, kind: kind(of: unsafe entry.pointee.d_type)))
        }
        let code = errno
        guard code == 0 else { throw Errno(code) }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
        let text = unsafe UnsafeRawPointer(entry) + start
        let length = unsafe strlen(text.assumingMemoryBound(to: CChar.self))
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
    }

    private static func kind(of type: UInt8) -> FileFacts.Kind? {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .link
        case Int(DT_FIFO): .fifo
        case Int(DT_SOCK): .socket
        case Int(DT_CHR), Int(DT_BLK): .device
        default: nil
        }
    }

    private static func writeAll(
        _ bytes: Span<UInt8>, _ call: (UnsafeRawPointer?, Int, Int) -> Int
    ) throws(Errno) {
        try unsafe bytes.withUnsafeBytes { all throws(Errno) in
            var done = 0
            while done < all.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[done...])
                let taken = try repeated(.write, count: rest.count) { count in
                    unsafe call(rest.baseAddress, count, done)
                }
                // A write to a file takes at least a byte or fails; a device may take none.
                guard taken > 0 else { throw Errno(EIO) }
                done += taken
            }
        }
    }

    private static func withPath(
        _ call: SystemCall, _ path: FilePath, _ body: (UnsafePointer<CChar>) -> Int32
    ) throws(Errno) -> Int {
        try unsafe path.withCString { pointer throws(Errno) in
            try repeated(call, count: 0) { _ in Int(unsafe body(pointer)) }
        }
    }

    /// Repeats a call after EINTR, and applies the faults of a test.
    private static func repeated(
        _ call: SystemCall, count: Int, _ body: (Int) -> Int
    ) throws(Errno) -> Int {
        while true {
            var allowed = count
            switch faults?.recordCall(call) {
            case .fail(let code) where code == EINTR: continue
            case .fail(let code): throw Errno(code)
            case .short(let limit): allowed = min(count, max(1, limit))
            case nil: break
            }
            let result = body(allowed)
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw Errno(code) }
        }
    }
}

extension FilePath {
    /// Passes the path as a C string. A path with a NUL would name another file and is refused.
    fileprivate func withCString<Result>(
        _ body: (UnsafePointer<CChar>) throws(Errno) -> Result
    ) throws(Errno) -> Result {
        guard !bytes.contains(0) else { throw Errno(EINVAL) }
        var text = bytes
        text.append(0)
        return try unsafe text.span.withUnsafeBytes { bytes throws(Errno) in
            guard let base = bytes.baseAddress else { throw Errno(EINVAL) }
            return try unsafe body(base.assumingMemoryBound(to: CChar.self))
        }
    }
}

/// The error code of a system call.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) {
        self.code = code
    }

    /// The system's message, such as "No space left on device".
    package var description: String {
        // The string belongs to the C library and stays valid; since glibc 2.32 it is thread-local.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// The error for a file of the program that is shorter than what was written to it.
    package static var cutShort: Errno { Errno(EIO) }
    package static var missing: Errno { Errno(ENOENT) }
    package static var nameTooLong: Errno { Errno(ENAMETOOLONG) }
    package static var tooLarge: Errno { Errno(EFBIG) }
}

/// An entry of a folder; the kind is nil if the file system does not tell it.
struct FolderEntry {
    let name: [UInt8]
    let kind: FileFacts.Kind?
}

/// An open file that closes itself.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        _ = Glibc.close(number)
    }
}

/// A descriptor that several owners hold; the last owner closes it.
package final class SharedDescriptor: Sendable {
    package let descriptor: Descriptor

    package init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    package var number: Int32 { descriptor.number }
}

/// A kind of system call that a test can make fail.
package enum SystemCall: Hashable, Sendable {
    case open, read, write, stat, rename, unlink, makeFolder, sync, lock, truncate, list
}

/// Faults that a test injects into system calls, for example to simulate a full disk.
///
/// They apply only to the task inside `SystemCalls.$faults.withValue` and to its children.
package final class SystemFaults: Sendable {
    package enum Effect: Hashable, Sendable {
        /// The call does nothing and fails with this code.
        case fail(Int32)
        /// A read or write moves at most this many bytes.
        case short(Int)
    }

    /// One fault: `count` calls of a kind, from number `first` (counted from one) on.
    package struct Fault: Hashable, Sendable {
        package var call: SystemCall
        package var first: Int
        package var count: Int
        package var effect: Effect

        package init(_ call: SystemCall, first: Int = 1, count: Int = 1, _ effect: Effect) {
            self.call = call
            self.first = first
            self.count = count
            self.effect = effect
        }
    }

    private let faults: [Fault]
    private let counts = Mutex<[SystemCall: Int]>([:])

    package init(_ faults: [Fault]) {
        self.faults = faults
    }

    package func count(of call: SystemCall) -> Int {
        counts.withLock { $0[call, default: 0] }
    }

    /// Counts a call and returns its effect, if any.
    func recordCall(_ call: SystemCall) -> Effect? {
        let number = counts.withLock { counts in
            counts[call, default: 0] += 1
            return counts[call, default: 0]
        }
        return faults.first {
            $0.call == call && number >= $0.first && number - $0.first < $0.count
        }?.effect
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
