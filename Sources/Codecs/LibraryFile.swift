import CShims
import Glibc

/// The file of a library that is not open, where those lie that the program is linked with.
enum LibraryFile {
    /// The name that its release gives it and its length: the same wherever this release is
    /// installed. A dash where it lies elsewhere.
    static func mark(of name: String) -> String {
        guard let folder = unsafe emb_library_folder() else { return "-" }
        let path = unsafe String(cString: folder) + "/" + name
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return "-" }
        return "\(target(of: path) ?? name) \(facts.st_size)"
    }

    /// Where a link leads, as it says.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
