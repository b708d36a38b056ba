import CShims
import Glibc

/// What a cell begins with, seen from its parent: a process, a line to it, memory to share.
struct CellStart {
    let line: Int32
    let region: Int32
    private(set) var process: pid_t = 0
    /// The other end of the line, until a process has it.
    private let far: Int32

    /// A line and a region for a process to come.
    init() throws(CellFault) {
        var ends: [Int32] = [-1, -1]
        guard
            unsafe ends.withUnsafeMutableBufferPointer({ unsafe emb_cell_line($0.baseAddress) })
                == 0
        else { throw CellFault("socketpair") }
        (line, far) = (ends[0], ends[1])
        region = emb_cell_region(SharedRegion.firstBytes)
        guard region >= 0 else {
            let fault = CellFault("memfd_create")
            close(line)
            close(far)
            throw fault
        }
    }

    /// Starts `program` as the process.
    mutating func spawn(_ program: String) throws(CellFault) {
        let libraries = unsafe getenv("LD_LIBRARY_PATH")
        var child: pid_t = 0
        let outcome = unsafe emb_cell_spawn(
            program, CellWorker.word, libraries, far, region, &child)
        let fault = CellFault("posix_spawn of \(program)")
        close(far)
        guard outcome == 0 else {
            close(line)
            close(region)
            throw fault
        }
        process = child
    }

    /// Divides this process; the other half is a cell from here on.
    mutating func divide() throws(CellFault) {
        let child = emb_cell_fork(far, region)
        if child == 0 { CellWorker.main(isDivided: true) }
        let fault = CellFault("fork")
        close(far)
        guard child > 0 else {
            close(line)
            close(region)
            throw fault
        }
        process = child
    }
}

/// Why no process could be started.
struct CellFault: Error {
    let text: String

    init(_ call: String) {
        let code = errno
        text = unsafe "\(call): \(String(cString: strerror(code)))"
    }
}
