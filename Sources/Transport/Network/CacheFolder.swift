import Glibc
import System

/// The files of a cache: entries at `v1/<first two digits of the key>/<other digits>`, a size file,
/// and a folder for files that are being written.
@safe
package final class CacheFolder: Sendable {
    package enum Detection {
        case nothing
        case cache(CacheFolder)
        /// The path has content that is not a cache.
        case other
    }

    package struct Content {
        package var entries = 0
        package var bytes = 0

        package init() {}

        fileprivate mutating func add(_ facts: stat) {
            entries += 1
            bytes += Int(facts.st_size)
        }
    }

    private static let bytesLimit = 256 << 20
    /// The age from which a half-written file counts as left by a killed process, in seconds.
    private static let strayAge = 3600
    private let root: Int32

    init(_ path: String) throws(Errno) {
        guard Self.makeFolders(path) else { throw Errno(errno) }
        let base = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard base >= 0 else { throw Errno(errno) }
        defer { close(base) }
        guard Self.makeFolder(base, "v1") else { throw Errno(errno) }
        root = unsafe openat(base, "v1", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard root >= 0, Self.makeFolder(root, "tmp") else { throw Errno(errno) }
    }

    private init(root: Int32) { self.root = root }

    /// Looks for a cache at a path, without creating anything. A cache has a folder `v1` with a
    /// folder `tmp` in it, and neither is a link.
    package static func detect(at path: String) throws(Errno) -> Detection {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let base = unsafe open(path, flags)
        guard base >= 0 else {
            switch errno {
            case ENOENT: return .nothing
            case ENOTDIR: return .other
            default: throw Errno(errno)
            }
        }
        defer { close(base) }
        let root = unsafe openat(base, "v1", flags | O_NOFOLLOW)
        guard root >= 0 else {
            switch errno {
            case ENOENT: return names(in: base).isEmpty ? .nothing : .other
            case ENOTDIR, ELOOP: return .other
            default: throw Errno(errno)
            }
        }
        let folder = CacheFolder(root: root)
        guard let drafts = folder.facts("tmp"), drafts.st_mode & S_IFMT == S_IFDIR else {
            return .other
        }
        return .cache(folder)
    }

    deinit {
        if root >= 0 { close(root) }
    }

    /// Returns a file's bytes and its modification time in seconds.
    func read(_ name: String) -> (bytes: [UInt8], changed: Int64)? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        guard
            let file = try? OpenFile(
                owning: SystemCalls.open(FilePath(Self.path(name)), in: root, flags)),
            file.facts.kind == .file, file.size > 0,
            let bytes = try? file.readAll(limit: Self.bytesLimit), bytes.count == file.size
        else { return nil }
        return (bytes, file.facts.modified / 1_000_000_000)
    }

    func write(_ name: String, _ bytes: [UInt8], serial: Int) -> Bool {
        let draft = "tmp/\(getpid())-\(serial)-\(name.prefix(16))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        guard let file = try? SystemCalls.open(FilePath(draft), in: root, flags, mode: 0o600)
        else { return false }
        if (try? SystemCalls.write(file.number, bytes.span)) != nil, moveIn(draft, name) {
            return true
        }
        unsafe unlinkat(root, draft, 0)
        return false
    }

    private func moveIn(_ draft: String, _ name: String) -> Bool {
        let path = Self.path(name)
        if unsafe renameat(root, draft, root, path) == 0 { return true }
        guard errno == ENOENT, Self.makeFolder(root, String(name.prefix(2))) else { return false }
        return unsafe renameat(root, draft, root, path) == 0
    }

    func remove(_ name: String) {
        unsafe unlinkat(root, Self.path(name), 0)
    }

    /// Sets the access time, which records the last use, to now. Sets the modification time, which
    /// records the last validation, unless `validated` is nil.
    func touch(_ name: String, validated: Int64?) {
        var times = [timespec(), timespec()]
        times[0].tv_nsec = Int(utimeNow)
        times[1].tv_nsec = validated == nil ? Int(utimeOmit) : 0
        times[1].tv_sec = Int(validated ?? 0)
        unsafe utimensat(root, Self.path(name), times, AT_SYMLINK_NOFOLLOW)
    }

    /// Runs `body` on the stored size, one process at a time, and stores the size that it returns.
    ///
    /// - Throws: If the size file cannot be opened or locked; `body` did not run then.
    func withSize(_ body: (Int) -> Int) throws(Errno) {
        let file = unsafe openat(root, "size", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Errno(errno) }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Errno(errno) }
        }
        var digits = [UInt8](repeating: 0, count: 24)
        let count = unsafe pread(file, &digits, 24, 0)
        let text = String(decoding: digits.prefix(max(0, count)), as: UTF8.self)
        // The largest number exceeds every limit, so that the files are counted again.
        let size = count == 0 ? 0 : Int(text) ?? Int.max
        let written = Array(String(max(0, body(size))).utf8)
        ftruncate(file, 0)
        unsafe pwrite(file, written, written.count, 0)
    }

    /// Removes the least recently used files until the total is at most `bytes`, and returns the
    /// total.
    func trim(to bytes: Int) -> Int {
        var files: [(used: timespec, path: String, size: Int)] = []
        var total = 0
        forEachEntry { _, name, facts in
            files.append((facts.st_atim, Self.path(name), Int(facts.st_size)))
            total += Int(facts.st_size)
        }
        removeStrays()
        guard total > bytes else { return total }
        files.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for file in files where total > bytes {
            if unsafe unlinkat(root, file.path, 0) == 0 || errno == ENOENT { total -= file.size }
        }
        return total
    }

    package func content() -> Content {
        var content = Content()
        forEachEntry { content.add($2) }
        return content
    }

    /// Removes every entry, and returns what was removed. `v1`, `tmp` and the size file stay, since
    /// a run may be using them.
    package func clear() throws(Errno) -> Content {
        var removed = Content()
        var failure: Errno?
        try withSize { _ in
            var left = 0
            forEachEntry { folder, name, facts in
                if unsafe unlinkat(folder, String(name.dropFirst(2)), 0) == 0 {
                    removed.add(facts)
                } else if errno != ENOENT {
                    failure = Errno(errno)
                    left += Int(facts.st_size)
                }
            }
            // `unlinkat` keeps folders that are not empty.
            for name in Self.names(in: root) where Self.isHex(name, count: 2) {
                unsafe unlinkat(root, name, AT_REMOVEDIR)
            }
            removeStrays()
            return left
        }
        if let failure { throw failure }
        return removed
    }

    /// Calls `body` with the open folder, the whole name and the metadata of each entry, without
    /// following links.
    private func forEachEntry(_ body: (_ folder: Int32, _ name: String, _ facts: stat) -> Void) {
        for start in Self.names(in: root) where Self.isHex(start, count: 2) {
            let folder = unsafe openat(
                root, start, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            for rest in Self.names(in: folder) where Self.isHex(rest, count: 62) {
                var facts = stat()
                guard unsafe fstatat(folder, rest, &facts, AT_SYMLINK_NOFOLLOW) == 0,
                    facts.st_mode & S_IFMT == S_IFREG
                else { continue }
                body(folder, start + rest, facts)
            }
        }
    }

    private static func isHex(_ name: String, count: Int) -> Bool {
        name.utf8.count == count
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private func removeStrays() {
        let drafts = unsafe openat(root, "tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard drafts >= 0 else { return }
        defer { close(drafts) }
        let now = WallClock.nowSeconds
        for name in Self.names(in: drafts) where Self.isHex(String(name.suffix(16)), count: 16) {
            if let facts = facts("tmp/\(name)"), now - Int64(facts.st_mtim.tv_sec) > Self.strayAge {
                unsafe unlinkat(drafts, name, 0)
            }
        }
    }

    private func facts(_ path: String) -> stat? {
        var facts = stat()
        return unsafe fstatat(root, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? facts : nil
    }

    private static func names(in folder: Int32) -> [String] {
        let entries = (try? FolderListing.read(FilePath("."), in: folder)) ?? []
        return entries.map { String(decoding: $0.name, as: UTF8.self) }
            .filter { !$0.hasPrefix(".") }
    }

    private static func path(_ name: String) -> String {
        "\(name.prefix(2))/\(name.dropFirst(2))"
    }

    private static func makeFolder(_ parent: Int32, _ name: String) -> Bool {
        unsafe mkdirat(parent, name, 0o700) == 0 || errno == EEXIST
    }

    private static func makeFolders(_ path: String) -> Bool {
        guard !path.isEmpty else { return false }
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
            if unsafe mkdir(made, 0o700) != 0, errno != EEXIST { return false }
        }
        return true
    }
}

/// Two constants of utimensat that Swift does not import from the headers.
private let utimeNow = (1 << 30) - 1
private let utimeOmit = (1 << 30) - 2
