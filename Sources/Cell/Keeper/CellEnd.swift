import CShims
import Glibc
import Render

/// How work in a cell ended without an outcome.
enum CellEnd: Hashable {
    case crashed(String)
    case outOfMemory
    case timeout
    case canceled
    case closed

    /// What the wait status of a process says.
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        if signal == 0 {
            let code = (status >> 8) & 0xFF
            self =
                Int(code) == Int(EMB_CELL_NO_MEMORY)
                ? .outOfMemory : .crashed("exit \(code) without an answer")
        } else if signal == SIGSYS {
            self = .crashed("stopped at a forbidden system call")
        } else {
            self = .crashed("signal \(signal)")
        }
    }

    var error: CellError {
        switch self {
        case .crashed(let how): .crashed(how)
        case .outOfMemory: .outOfMemory
        case .timeout: .timeout
        case .canceled, .closed: .render(.stopped)
        }
    }
}

/// What a task that waits for its cell is told.
enum CellReply {
    case report(CellReport)
    case ended(CellEnd)
}
