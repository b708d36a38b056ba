import CSandbox
import Glibc
import Render

/// The reason why work in a worker ended without an outcome.
enum WorkerEnd: Hashable {
    case crashed(String)
    case outOfMemory
    case timeout
    case drawnTooLong
    /// The worker was stopped, because a quick order needed its permit to render.
    case preempted
    case canceled
    case closed

    init(waitStatus status: Int32) {
        guard Int(status) != Int(EMB_WORKER_GONE) else {
            self = .crashed(
                "the worker ended with an unknown status, because another thread waited for it")
            return
        }
        guard status >= 0 else {
            self = .crashed("the worker cannot be killed")
            return
        }
        let signal = status & 0x7F
        if signal == 0 {
            let code = (status >> 8) & 0xFF
            switch Int(code) {
            case Int(EMB_WORKER_NO_MEMORY): self = .outOfMemory
            case Int(EMB_WORKER_NO_PDEATHSIG):
                self = .crashed("the worker cannot use prctl to end with its parent")
            default: self = .crashed("exit \(code) without a reply")
            }
        } else if signal == SIGSYS {
            self = .crashed("the sandbox stopped a forbidden system call")
        } else {
            self = .crashed("signal \(signal)")
        }
    }

    var text: String {
        switch self {
        case .crashed(let how): how
        case .outOfMemory: "the worker ran out of memory"
        case .timeout: "the worker did not start in time"
        case .drawnTooLong: "drawing took too long"
        case .canceled, .closed, .preempted: "the worker was stopped"
        }
    }

    var error: OrderError {
        switch self {
        case .crashed(let how): .crashed(how)
        case .outOfMemory: .outOfMemory
        case .timeout: .timeout
        case .drawnTooLong: .drawnTooLong
        case .preempted: .preempted
        case .canceled, .closed: .render(.stopped)
        }
    }
}

/// The answer to a request: a report of the worker, or its end.
enum WorkerEvent {
    case report(WorkerReply)
    case ended(WorkerEnd)
}
