import Codecs
import Glibc

package enum OrderError: Error, Hashable, Sendable {
    /// The image cannot be rendered; the renderer reports the reason.
    case render(RenderError)
    /// The process that worked on the image crashed; the text gives the cause.
    case crashed(String)
    case outOfMemory
    case timeout
    /// The work used more CPU time than its order allows.
    case drawnTooLong
    /// A limit of the program is reached; the text gives the reason. A retry can succeed.
    case busy(String)
    case unavailable(WorkerLack)
    /// The order turned out to be slow while another one needed its slot. Backends handle this case
    /// themselves and never return it.
    case preempted

    static let fullQueue = OrderError.busy(
        "More pictures wait for a renderer than Decoding.queueLimit allows.")
}

extension OrderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .render(let error): error.description
        case .crashed(let how): "The decoder crashed: \(how)."
        case .outOfMemory: "Decoding would exceed a limit: the granted memory."
        case .timeout: "The deadline passed while the picture was rendered."
        case .preempted: "The picture must wait for quicker ones."
        case .drawnTooLong:
            "Decoding and drawing took more processor time than allowed."
        case .busy(let reason): reason
        case .unavailable(let lack):
            "cannot start a sandboxed worker: \(lack.text)"
                + (lack.remedy.map { "; \($0)" }
                    ?? ". Allow it in the container or service (see the page Safety), or use "
                    + "'--sandbox none' for trusted images only")
        }
    }
}

extension OrderError {
    /// Whether the cause is a resource limit of the system, not a missing permission.
    package var isLimit: Bool {
        if case .unavailable(let lack) = self { lack.isLimit } else { false }
    }
}

/// The reason why no worker process can be started.
package struct WorkerLack: Hashable, Sendable {
    package let text: String
    /// The errno of the system, if there is one.
    package let code: Int32?

    package init(_ text: String, code: Int32? = nil) {
        self.text = text
        self.code = code
    }

    /// Whether the cause is a resource limit of the system, not a missing permission.
    package var isLimit: Bool { remedy != nil }

    /// The reason, with the remedy if it is known.
    package var words: String { [text, remedy].compactMap { $0 }.joined(separator: "; ") }

    /// The number of file descriptors of a worker apart from the fonts: those that it always has
    /// open, and those that it receives with a request.
    private static let otherFiles = 10

    /// The remedy, if the cause is a resource limit.
    package var remedy: String? {
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
