import Digest
import Glibc

/// One font file of the fixed set, by its path: in its Debian package, or beside the program.
package struct FontFile: Hashable, Sendable {
    package let path: String
    /// The Debian package that holds it.
    package let package: String
    /// The tool draws no text without it; without the others some scripts come out as boxes.
    package let isNeeded: Bool

    package init(path: String, package: String, isNeeded: Bool = true) {
        self.path = path
        self.package = package
        self.isNeeded = isNeeded
    }

    /// One of the set, by its path in its package.
    init(listed path: String, package: String, isNeeded: Bool = true) {
        self.init(path: FontFolder.ours.path(of: path), package: package, isNeeded: isNeeded)
    }

    /// More tables than any font has; the directory of that many is what a fingerprint reads.
    private static let tablesLimit = 64

    /// There is a file at that path that may be read.
    package var isThere: Bool { unsafe access(path, R_OK) == 0 }

    /// A short fingerprint of the file's content, to tell one release of a font from another.
    ///
    /// A font begins with a directory that holds a checksum of each of its tables: that and the
    /// length stand for the whole, so that forty files cost no more than forty short reads. It is
    /// no defence against forgery.
    package func fingerprint() throws(FontError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? .missing(file: path, package: package)
                : .unreadable(file: path, package: package)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG
        else { throw .unreadable(file: path, package: package) }
        var directory = [UInt8](repeating: 0, count: 12 + 16 * Self.tablesLimit)
        func readDirectory(at offset: Int) -> Int {
            unsafe directory.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
            }
        }
        var count = readDirectory(at: 0)
        // A collection begins with where its fonts begin.
        if count > 16, directory.starts(with: Array("ttcf".utf8)) {
            count = readDirectory(at: directory[12..<16].reduce(0) { $0 << 8 | Int($1) })
        }
        guard count > 12 else { throw .unreadable(file: path, package: package) }
        let tables = min(Int(directory[4]) << 8 | Int(directory[5]), Self.tablesLimit)
        let length = min(count, 12 + 16 * tables)
        let sum = CRC32.checksum(directory.span.extracting(first: length))
        return String(UInt64(bitPattern: Int64(facts.st_size)), radix: 16) + "-"
            + String(sum, radix: 16)
    }
}
