import Glibc

/// Why a test's own file could not be had.
struct ScratchError: Error, CustomStringConvertible {
    let doing: String
    let path: String
    let code: Int32

    init(doing: String, path: String) {
        self.doing = doing
        self.path = path
        code = errno
    }

    var description: String { "cannot \(doing) \(path): error \(code)" }
}
