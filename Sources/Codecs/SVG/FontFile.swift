import CLibDeflate
import Glibc

/// One font file of the fixed set, by its place on a Debian system.
package struct FontFile: Hashable, Sendable {
    package let path: String
    /// The Debian package that holds it.
    package let package: String

    package init(path: String, package: String) {
        self.path = path
        self.package = package
    }

    /// Every font that text may be drawn with, the first choice first.
    package static let all: [FontFile] =
        ["Regular", "Medium", "SemiBold", "Bold", "Italic"].map {
            FontFile(
                path: "/usr/share/fonts/opentype/inter/Inter-\($0).otf", package: "fonts-inter")
        }
        + ["Sans", "Sans-Bold", "Serif", "SansMono"].map {
            FontFile(
                path: "/usr/share/fonts/truetype/dejavu/DejaVu\($0).ttf",
                package: "fonts-dejavu-core")
        }

    /// A short fingerprint of the file's content, to tell one release of a font from another.
    ///
    /// It is a checksum, no defence against forgery: hashing nine megabytes would cost more than
    /// the smallest run.
    package func fingerprint() throws(FontError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? .missing(file: path, package: package)
                : .unreadable(file: path, package: package)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size > 0, facts.st_size < 64 << 20
        else { throw .unreadable(file: path, package: package) }
        let length = Int(facts.st_size)
        guard
            let bytes = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
            unsafe bytes != MAP_FAILED
        else { throw .unreadable(file: path, package: package) }
        defer { unsafe munmap(bytes, length) }
        let sum = unsafe libdeflate_crc32(0, bytes, length)
        let other = unsafe libdeflate_adler32(1, bytes, length)
        return [UInt32(truncatingIfNeeded: length), sum, other]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }
}
