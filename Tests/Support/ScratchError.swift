import Glibc

package struct ScratchError: Error, CustomStringConvertible {
    let doing: String
    let path: String
    let code: Int32

    package init(doing: String, path: String) {
        self.doing = doing
        self.path = path
        code = errno
    }

    package var description: String { "cannot \(doing) \(path): error \(code)" }
}
