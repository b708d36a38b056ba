import Digest
import Glibc
import Notation
import Synchronization
import System

package struct CacheSettings: Sendable {
    /// The folder of the cache, which is created if it is missing.
    package var folder: String
    package var bytesLimit: Int
    /// Called once if the folder cannot be used, with the reason; loading then continues without a
    /// cache. If nil, every load fails instead.
    package var onObstacle: (@Sendable (Errno) -> Void)?

    package init(
        folder: String, bytesLimit: Int = 1 << 30,
        onObstacle: (@Sendable (Errno) -> Void)? = nil
    ) {
        self.folder = folder
        self.bytesLimit = bytesLimit
        self.onObstacle = onObstacle
    }

    /// The reason why the folder cannot be used; nil if it can. A missing folder is created.
    package var obstacle: Errno? {
        do throws(Errno) {
            _ = try ResponseCache(self)
            return nil
        } catch {
            return error
        }
    }
}

/// A cache of responses on disk, bounded in size and safe for several processes at a time.
///
/// An entry is the file `v1/<first two digits of the key>/<other digits>`, written in `v1/tmp` and
/// renamed. Its modification time is the time of the last validation. The cache sets its access
/// time at each use, since many file systems do not. The file `v1/size` has the size that all
/// processes share.
package final class ResponseCache: Sendable {
    package enum Detection {
        case nothing
        case cache(ResponseCache)
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

    private struct Counters {
        /// Bytes that were stored and are not counted in the size file yet.
        var unwritten = 0
        var serial = 0
    }

    private static let entryBytesLimit = 256 << 20
    /// The age from which a half-written file counts as left by a killed process, in seconds.
    private static let strayAge = 3600
    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    private let root: Descriptor
    private let bytesLimit: Int
    private let counters = Mutex(Counters())

    private init(root: consuming Descriptor) {
        self.root = root
        bytesLimit = .max
    }

    init(_ settings: CacheSettings) throws(Errno) {
        let base = try SystemCalls.openFolder(FilePath(settings.folder), mode: 0o700)
        try SystemCalls.makeFolder(FilePath("v1"), in: base.number, mode: 0o700)
        root = try SystemCalls.open(FilePath("v1"), in: base.number, Self.folderFlags)
        bytesLimit = max(0, settings.bytesLimit)
        try SystemCalls.makeFolder(FilePath("tmp"), in: root.number, mode: 0o700)
    }

    /// Looks for a cache at a path, without creating anything. A cache has a folder `v1` with a
    /// folder `tmp` in it, and neither is a link.
    package static func detect(at path: String) throws(Errno) -> Detection {
        do throws(Errno) {
            let base = try SystemCalls.open(FilePath(path), O_RDONLY | O_DIRECTORY)
            do throws(Errno) {
                let root = try SystemCalls.open(FilePath("v1"), in: base.number, folderFlags)
                let drafts = try SystemCalls.facts(
                    of: FilePath("tmp"), in: root.number, followLinks: false)
                return drafts.kind == .folder ? .cache(ResponseCache(root: root)) : .other
            } catch  where error.code == ENOENT {
                return names(in: base.number).isEmpty ? .nothing : .other
            }
        } catch  where error.code == ENOENT {
            return .nothing
        } catch  where [ENOTDIR, ELOOP].contains(error.code) {
            return .other
        }
    }

    // MARK: Entries

    /// Returns the key of a response.
    ///
    /// - Parameter headers: A digest that separates responses to requests with other headers.
    static func key(_ url: String, headers: String) -> String {
        SHA256.hash(headers.isEmpty ? url : url + "\n" + headers).hex
    }

    /// Returns the entry with a key; removes it if it is damaged.
    func entry(for key: String) -> CacheEntry? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        guard
            let file = try? OpenFile(
                owning: SystemCalls.open(Self.path(key), in: root.number, flags)),
            file.facts.kind == .file,
            let bytes = try? file.readAll(limit: Self.entryBytesLimit), bytes.count == file.size
        else { return nil }
        let changed = file.facts.modified / 1_000_000_000
        guard let entry = CacheEntry(file: bytes, validatedAt: changed) else {
            remove(key)
            return nil
        }
        touch(key, validated: nil)
        return entry
    }

    /// Stores a response unless its headers forbid that or its body is too large. If storing fails,
    /// the next run loads the source again.
    func store(
        _ key: String, _ headers: ResponseHeaders, finalURL: String, body: [UInt8],
        redirectLifetime: Int64?
    ) {
        guard let lifetime = headers.lifetime(redirectLifetime: redirectLifetime)
        else { return remove(key) }
        guard body.count <= bytesLimit / 4 else { return }
        let file = CacheEntry.file(
            finalURL: finalURL, headers: headers, lifetime: lifetime, body: body)
        guard write(file, key) else { return }
        addToSize(atLeast: bytesLimit / 32, adding: file.count)
    }

    /// Updates an entry that the server has confirmed.
    func renew(
        _ key: String, _ entry: CacheEntry, with headers: ResponseHeaders, redirectLifetime: Int64?
    ) {
        var merged = entry.headers
        merged.etag = headers.etag ?? merged.etag
        merged.lastModified = headers.lastModified ?? merged.lastModified
        merged.cacheControl = headers.cacheControl ?? merged.cacheControl
        var asked = merged
        asked.age = headers.age
        asked.date = headers.date
        asked.expires = headers.expires
        let lifetime = asked.lifetime(redirectLifetime: redirectLifetime)
        if merged == entry.headers, lifetime == entry.lifetime {
            touch(key, validated: WallClock.nowSeconds)
        } else {
            store(
                key, asked, finalURL: entry.finalURL, body: entry.body,
                redirectLifetime: redirectLifetime)
        }
    }

    func close() { addToSize(atLeast: 1) }

    private func write(_ bytes: [UInt8], _ key: String) -> Bool {
        let serial = counters.withLock { counters in
            counters.serial += 1
            return counters.serial
        }
        let draft = FilePath("tmp/\(getpid())-\(serial)-\(key.prefix(16))")
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let folder = root.number
        guard let file = try? SystemCalls.open(draft, in: folder, flags, mode: 0o600) else {
            return false
        }
        do throws(Errno) {
            try SystemCalls.write(file.number, bytes.span)
            do throws(Errno) {
                try SystemCalls.rename(draft, in: folder, to: Self.path(key), in: folder)
            } catch  where error.code == ENOENT {
                try SystemCalls.makeFolder(FilePath(String(key.prefix(2))), in: folder, mode: 0o700)
                try SystemCalls.rename(draft, in: folder, to: Self.path(key), in: folder)
            }
            return true
        } catch {
            try? SystemCalls.unlink(draft, in: folder)
            return false
        }
    }

    private func remove(_ key: String) { try? SystemCalls.unlink(Self.path(key), in: root.number) }

    private static func path(_ key: String) -> FilePath {
        FilePath("\(key.prefix(2))/\(key.dropFirst(2))")
    }

    /// Sets the access time, which records the last use, to now. Sets the modification time, which
    /// records the last validation, unless `validated` is nil.
    private func touch(_ key: String, validated: Int64?) {
        // Two constants of utimensat that Swift does not import: now, and no change.
        let used = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1)
        let changed = timespec(
            tv_sec: Int(validated ?? 0), tv_nsec: validated == nil ? (1 << 30) - 2 : 0)
        unsafe utimensat(root.number, "\(Self.path(key))", [used, changed], AT_SYMLINK_NOFOLLOW)
    }

    // MARK: Size

    /// Adds stored bytes to the size that all processes share, once there are `least` of them, and
    /// removes entries if it is over the limit. If a killed process did not add its bytes, or the
    /// size file cannot be locked, the next count of the files includes them.
    private func addToSize(atLeast least: Int, adding count: Int = 0) {
        let added = counters.withLock { counters in
            counters.unwritten += count
            guard counters.unwritten >= least else { return 0 }
            defer { counters.unwritten = 0 }
            return counters.unwritten
        }
        guard added > 0 else { return }
        try? withSize { size in
            let (sum, overflows) = size.addingReportingOverflow(added)
            if !overflows, sum <= bytesLimit { return sum }
            return trim(to: bytesLimit / 8 * 7)
        }
    }

    /// Runs `body` on the stored size, one process at a time, and stores the size that it returns.
    ///
    /// - Throws: If the size file cannot be opened or locked; `body` did not run then.
    private func withSize(_ body: (Int) -> Int) throws(Errno) {
        let file = try SystemCalls.open(
            FilePath("size"), in: root.number, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        try SystemCalls.lock(file.number, waits: true)
        let digits = try SystemCalls.readAll(file.number, limit: 24, expecting: 24).bytes
        // The largest number exceeds every limit, so that the files are counted again.
        let size = digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self)) ?? Int.max
        let written = Array(String(max(0, body(size))).utf8)
        try SystemCalls.truncate(file.number, to: 0)
        try SystemCalls.write(file.number, written.span, at: 0)
    }

    /// Removes the least recently used files until the total is at most `bytes`, and returns the
    /// total.
    private func trim(to bytes: Int) -> Int {
        var files: [(used: timespec, path: FilePath, size: Int)] = []
        var total = 0
        forEachEntry { _, name, facts in
            files.append((facts.st_atim, Self.path(name), Int(facts.st_size)))
            total += Int(facts.st_size)
        }
        removeStrays()
        guard total > bytes else { return total }
        files.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for file in files where total > bytes {
            do throws(Errno) {
                try SystemCalls.unlink(file.path, in: root.number)
            } catch  where error.code != ENOENT {
                continue
            } catch {
                // Another process removed the file.
            }
            total -= file.size
        }
        return total
    }

    // MARK: Content

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
                do throws(Errno) {
                    try SystemCalls.unlink(FilePath(String(name.dropFirst(2))), in: folder)
                    removed.add(facts)
                } catch {
                    guard error.code != ENOENT else { return }
                    failure = error
                    left += Int(facts.st_size)
                }
            }
            for name in Self.names(in: root.number) where Self.isHex(name, count: 2) {
                // Folders that are not empty stay.
                try? SystemCalls.removeFolder(FilePath(name), in: root.number)
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
        for start in Self.names(in: root.number) where Self.isHex(start, count: 2) {
            guard
                let folder = try? SystemCalls.open(
                    FilePath(start), in: root.number, Self.folderFlags)
            else { continue }
            for rest in Self.names(in: folder.number) where Self.isHex(rest, count: 62) {
                var facts = stat()
                guard unsafe fstatat(folder.number, rest, &facts, AT_SYMLINK_NOFOLLOW) == 0,
                    facts.st_mode & S_IFMT == S_IFREG
                else { continue }
                body(folder.number, start + rest, facts)
            }
        }
    }

    private static func isHex(_ name: String, count: Int) -> Bool {
        name.utf8.count == count
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private func removeStrays() {
        guard
            let drafts = try? SystemCalls.open(FilePath("tmp"), in: root.number, Self.folderFlags)
        else { return }
        let now = WallClock.nowSeconds
        for name in Self.names(in: drafts.number)
        where Self.isHex(String(name.suffix(16)), count: 16) {
            let path = FilePath(name)
            let facts = try? SystemCalls.facts(of: path, in: drafts.number, followLinks: false)
            if let facts, now - facts.modified / 1_000_000_000 > Self.strayAge {
                try? SystemCalls.unlink(path, in: drafts.number)
            }
        }
    }

    private static func names(in folder: Int32) -> [String] {
        let entries = (try? SystemCalls.list(FilePath("."), in: folder)) ?? []
        return entries.map { String(decoding: $0.name, as: UTF8.self) }
            .filter { !$0.hasPrefix(".") }
    }
}

/// The validators of a stored response, with which the server is asked whether it is still valid.
struct Validators: Sendable, Hashable {
    /// The URL of the response; the validators are used for no other URL.
    let url: String
    let etag: String?
    let lastModified: String?
}

/// A stored response.
///
/// Its file has lines with a signature, the lifetime, the URL and the header fields, then the body,
/// and a SHA-256 of all bytes before it.
package struct CacheEntry: Sendable {
    private static let mark = "emblem-cache-3"
    private static let digestCount = 32
    private static let fields: [any WritableKeyPath<ResponseHeaders, String?> & Sendable] = [
        \.etag, \.lastModified, \.cacheControl,
    ]

    /// The header fields that later requests need.
    package private(set) var headers = ResponseHeaders()
    package let finalURL: String
    /// Seconds from `validatedAt` for which the entry is fresh.
    package let lifetime: Int64
    /// Seconds since 1970, from the modification time of the file.
    private let validatedAt: Int64
    package let body: [UInt8]

    /// Reads the entry in a file; nil if a single bit of it is wrong.
    package init?(file: [UInt8], validatedAt: Int64) {
        let end = file.count - Self.digestCount
        guard end > 0, SHA256.hash(file.span.extracting(..<end)).bytes.elementsEqual(file[end...])
        else { return nil }
        var rest = file[..<end]
        func line() -> String? {
            guard let end = rest.lineEnd else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard line() == Self.mark, let lifetime = line().flatMap({ Int64($0) }),
            let finalURL = line()
        else { return nil }
        self.lifetime = lifetime
        self.finalURL = finalURL
        self.validatedAt = validatedAt
        var headers = ResponseHeaders()
        for field in Self.fields {
            guard let text = line() else { return nil }
            headers[keyPath: field] = text.isEmpty ? nil : text
        }
        self.headers = headers
        body = Array(rest)
    }

    /// Returns the bytes of a file. Neither a URL nor a header field has a line break; a field
    /// without text counts as absent.
    package static func file(
        finalURL: String, headers: ResponseHeaders, lifetime: Int64, body: [UInt8]
    ) -> [UInt8] {
        let lines = [mark, "\(lifetime)", finalURL] + fields.map { headers[keyPath: $0] ?? "" }
        var file = Array((lines.joined(separator: "\n") + "\n").utf8)
        file.reserveCapacity(file.count + body.count + digestCount)
        file += body
        file += SHA256.hash(file.span).bytes
        return file
    }

    /// Returns whether the entry may be used without validation. An entry that was validated in the
    /// future counts as expired, since the clock must have been changed.
    package func isFresh(at now: Int64) -> Bool {
        now >= validatedAt && now - validatedAt < lifetime
    }

    var validators: Validators? {
        guard headers.etag != nil || headers.lastModified != nil else { return nil }
        return Validators(
            url: finalURL, etag: headers.etag, lastModified: headers.lastModified)
    }
}
