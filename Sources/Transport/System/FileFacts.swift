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
