import Glibc

/// The identity of a file, independent of its name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// The metadata of a file, folder or other entry.
package struct FileFacts: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case file, folder, link, fifo, socket, device, unknown
    }

    package let kind: Kind
    package let size: Int
    package let identity: FileIdentity
    /// The time of the last change to the bytes, in nanoseconds since 1970.
    package let modified: Int64
    /// The time of the last change to the inode, in nanoseconds since 1970.
    package let changed: Int64
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

    /// Returns whether both are metadata of the same file with unchanged bytes. A rename or a new
    /// hard link changes only the inode time, which is compared if `sameEntry` is set.
    func haveSameBytes(as other: FileFacts, sameEntry: Bool) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
            && (!sameEntry || changed == other.changed)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        // The value overflows after the year 2262, which is harmless since values are only compared
        // for equality.
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension FileFacts {
    /// Returns the facts of a path, with links followed; nil if they cannot be read.
    package static func at(_ path: FilePath) -> FileFacts? {
        try? SystemCalls.facts(of: path, followLinks: true)
    }

    /// Returns an error if the path or one of its parents is not a folder.
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
}

extension FileFacts.Kind {
    /// The kind with its article, as part of a sentence.
    var phrase: String {
        switch self {
        case .file: "a file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .fifo: "a FIFO"
        case .socket: "a socket"
        case .device: "a device"
        case .unknown: "something unknown"
        }
    }
}
