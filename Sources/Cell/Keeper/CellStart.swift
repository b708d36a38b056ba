import CSandbox
import Glibc
import Render

/// What a cell begins with, seen from its parent: a process, a line to it, memory to share.
struct CellStart {
    let line: Int32
    let region: Int32
    private(set) var process: pid_t = 0
    /// Names the process for good; -1 where the kernel has no such thing.
    private(set) var handle: Int32 = -1
    /// The process came from dividing this one, so the two have their code at the same addresses.
    private(set) var isDivided = false
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
        let nothing = try openNothing()
        defer { close(nothing) }
        let libraries = unsafe getenv("LD_LIBRARY_PATH")
        var child: pid_t = 0
        let outcome = unsafe emb_cell_spawn(
            program, CellWorker.word, libraries, far, region, nothing, &child)
        try settle(child, outcome == 0 ? nil : CellFault("posix_spawn of \(program)"))
    }

    /// Divides this process; the other half is a cell from here on.
    mutating func divide() throws(CellFault) {
        let nothing = try openNothing()
        defer { close(nothing) }
        let child = emb_cell_fork(far, region, nothing)
        if child == 0 { CellWorker.main(isDivided: true) }
        try settle(child, child > 0 ? nil : CellFault("fork"))
        isDivided = true
    }

    /// What the process has for its standard streams. Opened here, so that a refusal names its file.
    private func openNothing() throws(CellFault) -> Int32 {
        let nothing = emb_cell_nothing()
        guard nothing < 0 else { return nothing }
        let fault = CellFault("opening /dev/null")
        close(far)
        close(line)
        close(region)
        throw fault
    }

    private mutating func settle(_ child: pid_t, _ fault: CellFault?) throws(CellFault) {
        close(far)
        if let fault {
            close(line)
            close(region)
            throw fault
        }
        process = child
        handle = emb_cell_handle(child)
    }
}

/// Why no process could be started.
struct CellFault: Error {
    let lack: CellLack

    init(_ call: String) {
        let code = errno
        lack = CellLack("\(call): \(Confinement.text(of: code))", code: code)
    }
}
