import Glibc

/// Why text did not arrive.
package enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reader went away, as `head` does when it has enough: no fault of anybody.
    case readerGone
    /// The device refused, with its `errno`.
    case device(code: Int32)

    /// The case for the `errno` of a write that failed.
    package init(code: Int32) {
        self = code == EPIPE ? .readerGone : .device(code: code)
    }

    /// 0 for a reader that had enough, 74 for a device that failed.
    package var exitCode: Int32 {
        switch self {
        case .readerGone: 0
        case .device: 74
        }
    }

    /// What happened, as part of a sentence.
    package var description: String {
        switch self {
        case .readerGone: "the reader closed the output"
        case .device(let code):
            "cannot write the output: \(unsafe String(cString: strerror(code)))"
        }
    }
}
