import Codecs
import Glibc

package struct WorkerLack: Hashable, Sendable {
    package let text: String
    /// The errno of the system, if there is one.
    package let code: Int32?

    package init(_ text: String, code: Int32? = nil) {
        self.text = text
        self.code = code
    }

    /// The cause is a resource limit of the system, not a missing permission.
    package var isLimit: Bool { roomier != nil }

    /// The reason, with the remedy if it is known.
    package var words: String { [text, roomier].compactMap { $0 }.joined(separator: "; ") }

    /// The other descriptors of a worker: those that it always has open, and those that it receives
    /// for a moment.
    private static let otherFiles = 10

    /// The remedy, if the cause is a resource limit.
    package var roomier: String? {
        switch code {
        case EMFILE:
            "raise `ulimit -n`: a worker needs up to \(FontFile.all.count + Self.otherFiles) open "
                + "files"
        case ENFILE: "raise the system's limit on open files (fs.file-max)"
        case EFBIG: "raise `ulimit -f`"
        case ENOSPC: "free some memory, or give the container more"
        case ENOMEM: "raise `ulimit -v`, or the memory limit of the container"
        case EAGAIN: "raise `ulimit -u`, or the process limit of the container"
        default: nil
        }
    }
}
