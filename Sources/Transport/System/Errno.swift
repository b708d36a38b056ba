import Glibc

/// The number with which the system explains a failed call.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) {
        self.code = code
    }

    /// The system's own words, such as "No space left on device".
    package var description: String {
        // The pointer belongs to the C library and lives on; since glibc 2.32 it is a thread's own.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// A file of our own is shorter than what was written to it.
    package static var cutShort: Errno { Errno(EIO) }
    /// There is no such file.
    package static var missing: Errno { Errno(ENOENT) }
    /// No file can be called so.
    package static var nameTooLong: Errno { Errno(ENAMETOOLONG) }
    /// A file is larger than it may be.
    package static var tooLarge: Errno { Errno(EFBIG) }
}
