import Glibc

/// Which file a name leads to, whatever the name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// What the system says of a file without reading it.
package struct FileFacts: Hashable, Sendable {
    /// What kind of thing a name leads to.
    package enum Kind: String, Hashable, Sendable {
        case file, folder, link, fifo, socket, device, unknown
    }

    package let kind: Kind
    package let size: Int
    package let identity: FileIdentity
    /// Nanoseconds since 1970 of the last change to the bytes.
    package let modified: Int64
    /// Nanoseconds since 1970 of the last change to the file's entry.
    package let changed: Int64
    /// How many names lead to it.
    package let links: Int

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            case S_IFCHR, S_IFBLK: .device
            default: .unknown
            }
        size = Int(status.st_size)
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        links = Int(status.st_nlink)
    }

    /// The same file with the same bytes, as far as its facts can tell. A file that was only given
    /// another name, or taken it away, differs in the time of its entry alone.
    func haveSameBytes(as other: FileFacts, sameEntry: Bool) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
            && (!sameEntry || changed == other.changed)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        // A clock beyond the year 2262 wraps; only equality is asked of these numbers.
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension FileFacts {
    /// What stands at a path, links followed; `nil` where nothing can be found.
    package static func at(_ path: FilePath) -> FileFacts? {
        do throws(Errno) {
            return try SystemCalls.facts(of: path, followLinks: true)
        } catch {
            return nil
        }
    }

    /// The folder at `path`, or the nearest one above it that exists.
    package static func nearestFolder(to path: FilePath) -> FilePath {
        var candidate = path.withoutTrailingSlashes
        while at(candidate)?.kind != .folder {
            let above = candidate.folder
            guard above != candidate, !above.bytes.isEmpty else { return FilePath(".") }
            candidate = above
        }
        return candidate
    }

    /// What stands where the folder at `path`, or one above it, would have to be made.
    package static func obstacle(to path: FilePath) -> OutletError? {
        var candidate = path.withoutTrailingSlashes
        while true {
            if let facts = at(candidate) {
                guard facts.kind != .folder else { return nil }
                return .inTheWay(path: candidate.description, what: facts.kind)
            }
            let above = candidate.folder
            guard above != candidate, !above.bytes.isEmpty else { return nil }
            candidate = above
        }
    }

    /// The bytes that may still be written where the folder at `path` lies.
    package static func freeBytes(at path: FilePath) -> Int? {
        var room = statvfs()
        guard unsafe statvfs("\(path)", &room) == 0 else { return nil }
        let (bytes, overflow) = Int(clamping: room.f_bavail)
            .multipliedReportingOverflow(by: Int(clamping: room.f_frsize))
        return overflow ? nil : bytes
    }
}
