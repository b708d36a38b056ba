import CSandbox
import Codecs
import Glibc
import Render

/// What a worker begins with, seen from its parent: a process, a socket to it, memory to share.
struct WorkerStart {
    let socket: Int32
    let region: Int32
    private(set) var process: pid_t = 0
    /// Names the process for good; -1 where the kernel has no such thing.
    private(set) var handle: Int32 = -1
    /// The process came from dividing this one, so the two have their code at the same addresses.
    private(set) var isForked = false
    /// The other socket, until a process has it.
    private let far: Int32

    /// A socket and a region for a process to come.
    init() throws(WorkerFault) {
        var ends: [Int32] = [-1, -1]
        guard
            unsafe ends.withUnsafeMutableBufferPointer({ unsafe emb_worker_sockets($0.baseAddress) }
            )
                == 0
        else { throw WorkerFault("socketpair") }
        (socket, far) = (ends[0], ends[1])
        region = emb_worker_region(SharedRegion.firstBytes)
        guard region >= 0 else {
            let fault = WorkerFault("memfd_create")
            close(socket)
            close(far)
            throw fault
        }
    }

    /// Starts `program` as the process.
    mutating func spawn(_ program: String) throws(WorkerFault) {
        let nothing = try openNothing()
        defer { close(nothing) }
        let libraries = unsafe getenv("LD_LIBRARY_PATH")
        var child: pid_t = 0
        let outcome = unsafe emb_worker_spawn(
            program, WorkerMain.word, libraries, far, region, nothing, &child)
        try settle(child, outcome == 0 ? nil : WorkerFault("posix_spawn of \(program)"))
    }

    /// Divides this process into as many workers more as there are starts.
    ///
    /// The first one makes the others once it has the libraries that all draw with: these are in
    /// place when the first picture is, and this process need not wait for them. With `awaitsCall` it
    /// does nothing before it is called.
    /// Where this is refused no start is left.
    static func divide(into starts: inout [WorkerStart], awaitsCall: Bool) {
        guard !starts.isEmpty else { return }
        let nothing = emb_worker_nothing()
        let child = nothing >= 0 ? emb_worker_fork(nothing) : -1
        if child == 0 {
            if awaitsCall { awaitCall(starts) }
            beFirst(of: starts)
        }
        if nothing >= 0 { close(nothing) }
        for index in starts.indices {
            close(starts[index].far)
            starts[index].isForked = true
        }
        guard child > 0 else {
            for start in starts { start.abandon() }
            starts = []
            return
        }
        starts[0].name(child)
    }

    /// What the first one does until it is called: it shows nobody what it was divided from, and ends
    /// with its parent, whose sockets are nobody else's.
    private static func awaitCall(_ starts: [WorkerStart]) {
        emb_worker_become_first_fork()
        ProcessPrivacy.hide()
        for start in starts { close(start.socket) }
        emb_worker_await_wake(starts[0].far)
    }

    /// What the first one does, and those that it makes.
    private static func beFirst(of starts: [WorkerStart]) -> Never {
        DrawingLibraries.prepare()
        for start in starts.dropFirst() {
            guard emb_worker_fork_sibling() == 0 else { continue }
            emb_worker_take_descriptors(start.far, start.region)
            emb_worker_tell_number()
            WorkerMain.main(isForked: true)
        }
        emb_worker_take_descriptors(starts[0].far, starts[0].region)
        WorkerMain.main(isForked: true)
    }

    /// Waits to hear which process it is that came of dividing; false where none comes.
    mutating func awaitNumber(milliseconds: Int32) -> Bool {
        guard process == 0 else { return true }
        let child = emb_worker_meet(socket, milliseconds)
        guard child > 0 else { return false }
        name(child)
        return true
    }

    /// Has the first one begin that waits for it.
    func call() { emb_worker_wake(socket) }

    private mutating func name(_ child: pid_t) {
        process = child
        handle = emb_worker_handle(child)
    }

    /// Lets go of what no process will use.
    func abandon() {
        close(socket)
        close(region)
    }

    /// What the process has for its standard streams. Opened here, so that a refusal names its file.
    private func openNothing() throws(WorkerFault) -> Int32 {
        let nothing = emb_worker_nothing()
        guard nothing < 0 else { return nothing }
        let fault = WorkerFault("opening /dev/null")
        close(far)
        abandon()
        throw fault
    }

    private mutating func settle(_ child: pid_t, _ fault: WorkerFault?) throws(WorkerFault) {
        close(far)
        if let fault {
            abandon()
            throw fault
        }
        name(child)
    }
}

/// Why no process could be started.
struct WorkerFault: Error {
    let lack: WorkerLack

    init(_ call: String, code: Int32 = errno) {
        lack = WorkerLack("\(call): \(Confinement.text(of: code))", code: code)
    }
}
