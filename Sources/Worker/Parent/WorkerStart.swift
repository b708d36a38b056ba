import CSandbox
import Codecs
import Glibc
import Render

/// The parent's view of a new worker: a process, a socket to it, and shared memory.
struct WorkerStart {
    let socket: Int32
    let region: Int32
    private(set) var process: pid_t = 0
    /// A pidfd; -1 if the kernel has none.
    private(set) var pidfd: Int32 = -1
    /// Whether the process was forked from this one, so that both have their code at the same
    /// addresses.
    private(set) var isForked = false
    /// The worker's end of the socket, which this process closes once the worker has it.
    private let childSocket: Int32

    init() throws(WorkerFault) {
        var ends: [Int32] = [-1, -1]
        let outcome = unsafe ends.withUnsafeMutableBufferPointer {
            unsafe emb_worker_socketpair($0.baseAddress)
        }
        guard outcome == 0 else { throw WorkerFault("socketpair") }
        (socket, childSocket) = (ends[0], ends[1])
        region = emb_worker_memfd(SharedRegion.firstBytes)
        guard region >= 0 else {
            let fault = WorkerFault("memfd_create")
            close(socket)
            close(childSocket)
            throw fault
        }
    }

    mutating func spawn(_ program: String) throws(WorkerFault) {
        let devNull = try openDevNull()
        defer { close(devNull) }
        let libraries = unsafe getenv("LD_LIBRARY_PATH")
        var child: pid_t = 0
        let outcome = unsafe emb_worker_spawn(
            program, WorkerMain.word, libraries, childSocket, region, devNull, &child)
        try settle(child, outcome == 0 ? nil : WorkerFault("posix_spawn of \(program)"))
    }

    /// Forks one worker for each start.
    ///
    /// The first fork loads the libraries for drawing and then forks the others. The libraries are
    /// therefore usually loaded when the first image arrives, and this process does not wait for
    /// them. With `awaitsCall` the first fork waits for `call()` before it loads them. If the fork
    /// fails, `starts` is empty afterwards.
    static func forkAll(_ starts: inout [WorkerStart], awaitsCall: Bool) {
        guard !starts.isEmpty else { return }
        let devNull = emb_open_dev_null()
        let child = devNull >= 0 ? emb_worker_fork(devNull) : -1
        if child == 0 {
            if awaitsCall { awaitCall(starts) }
            runForkServer(of: starts)
        }
        if devNull >= 0 { close(devNull) }
        for index in starts.indices {
            close(starts[index].childSocket)
            starts[index].isForked = true
        }
        guard child > 0 else {
            for start in starts { start.closeDescriptors() }
            starts = []
            return
        }
        starts[0].name(child)
    }

    /// Hides the memory of the first fork, closes the parent's sockets, and waits for the call to
    /// fork the others. The process ends with its parent, which alone holds those sockets.
    private static func awaitCall(_ starts: [WorkerStart]) {
        emb_worker_raise_oom_score()
        ProcessPrivacy.hide()
        for start in starts { close(start.socket) }
        emb_fork_server_wait(starts[0].childSocket)
    }

    /// Loads the libraries, forks the other workers, and runs as a worker itself.
    private static func runForkServer(of starts: [WorkerStart]) -> Never {
        DrawingLibraries.prepare()
        for start in starts.dropFirst() {
            guard emb_worker_fork_sibling() == 0 else { continue }
            emb_worker_place_descriptors(start.childSocket, start.region)
            emb_worker_send_pid()
            WorkerMain.main(isForked: true)
        }
        emb_worker_place_descriptors(starts[0].childSocket, starts[0].region)
        WorkerMain.main(isForked: true)
    }

    /// Waits for the process id of the fork; returns false if none arrives.
    mutating func awaitProcessID(milliseconds: Int32) -> Bool {
        guard process == 0 else { return true }
        let child = emb_worker_receive_pid(socket, milliseconds)
        guard child > 0 else { return false }
        name(child)
        return true
    }

    /// Wakes the first fork, which waits for this call.
    func call() { emb_fork_server_wake(socket) }

    /// Notes the process id and opens a pidfd.
    private mutating func name(_ child: pid_t) {
        process = child
        pidfd = emb_worker_pidfd(child)
    }

    func closeDescriptors() {
        close(socket)
        close(region)
    }

    /// Opens /dev/null for the standard streams here, so that an error can name the file.
    private func openDevNull() throws(WorkerFault) -> Int32 {
        let devNull = emb_open_dev_null()
        guard devNull < 0 else { return devNull }
        let fault = WorkerFault("opening /dev/null")
        close(childSocket)
        closeDescriptors()
        throw fault
    }

    /// Closes the worker's end of the socket, and notes the new process or throws its fault.
    private mutating func settle(_ child: pid_t, _ fault: WorkerFault?) throws(WorkerFault) {
        close(childSocket)
        if let fault {
            closeDescriptors()
            throw fault
        }
        name(child)
    }
}

struct WorkerFault: Error {
    let lack: WorkerLack

    init(_ call: String, code: Int32 = errno) {
        lack = WorkerLack("\(call): \(Confinement.text(of: code))", code: code)
    }
}
