import Glibc

/// The names in one folder, in no order.
enum FolderListing {
    struct Entry {
        let name: [UInt8]
        /// What the folder itself says of the entry; some file systems say nothing.
        let kind: FileFacts.Kind?
    }

    /// All entries at once, for folders of our own.
    static func read(_ path: FilePath, in folder: Int32) throws(Errno) -> [Entry] {
        var entries: [Entry] = []
        try read(path, in: folder) { entries.append($0) }
        return entries
    }

    /// Opens, reads and closes the folder, and hands on one entry after the other; `.` and `..` are
    /// left out.
    static func read(
        _ path: FilePath, in folder: Int32, followLinks: Bool = false, _ take: (Entry) -> Void
    ) throws(Errno) {
        let descriptor = try SystemCalls.open(
            path, in: folder,
            O_RDONLY | O_DIRECTORY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW))
        // The stream closes what it is given, so it gets a copy of its own.
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
            take(Entry(name: name, kind: kind(of: unsafe entry.pointee.d_type)))
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
}
