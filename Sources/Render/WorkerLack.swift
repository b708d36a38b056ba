import Codecs
import Glibc

/// Why no process can be had to decode pictures in.
package struct WorkerLack: Hashable, Sendable {
    package let text: String
    /// The system's own reason, where there is one.
    package let code: Int32?

    package init(_ text: String, code: Int32? = nil) {
        self.text = text
        self.code = code
    }

    /// What is missing is room within the limits of the system, not its permission.
    package var isLimit: Bool { roomier != nil }

    /// What is missing, and how to give it where that is known.
    package var words: String { [text, roomier].compactMap { $0 }.joined(separator: "; ") }

    /// What a process of ours has open beside the fonts, and those that it is handed for a moment.
    private static let otherFiles = 10

    /// How to give more room, where that is what is missing.
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
