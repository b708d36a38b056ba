import CSandbox
import Glibc
import Render
import Synchronization
import System

/// A worker process, seen from its keeper.
final class WorkerProcess: Sendable {
    /// The slot of the queue that the worker belongs to.
    let slot: Int
    let process: pid_t
    /// Whether the worker was forked from this process, so that it shares the code addresses of the
    /// other forks.
    let isForked: Bool
    let region: SharedRegion
    private let socket: Int32
    /// A pidfd, which stays valid when the process id is reused; -1 if the kernel has none.
    private let pidfd: Int32
    /// The theme that the worker received last.
    private let theme: Mutex<[UInt8]>

    /// Takes a worker that was forked at startup, or starts a program. The process dies with the
    /// calling thread.
    init(
        slot: Int, settings: WorkerSettings, adopts: Bool, theme: [UInt8]
    ) throws(WorkerFault) {
        let start = try Self.start(settings, adopts: adopts)
        do throws(WorkerFault) {
            region = try Self.region(of: start, holding: theme)
        } catch {
            close(start.socket)
            _ = emb_worker_kill(start.process, start.pidfd)
            _ = emb_worker_reap(start.process, start.pidfd, WorkerKeeper.reapMilliseconds)
            if start.pidfd >= 0 { close(start.pidfd) }
            throw error
        }
        pidfd = start.pidfd
        self.theme = Mutex(theme)
        self.slot = slot
        process = start.process
        isForked = start.isForked
        socket = start.socket
        _ = send(
            WorkerRequest(
                mapped: region.count, themeBytes: theme.count, memoryBytes: settings.memoryBytes))
    }

    private static func start(
        _ settings: WorkerSettings, adopts: Bool
    ) throws(WorkerFault) -> WorkerStart {
        if adopts, let born = Prefork.take() { return born }
        var start = try WorkerStart()
        try start.spawn(settings.program)
        return start
    }

    private static func region(
        of start: WorkerStart, holding theme: [UInt8]
    ) throws(WorkerFault) -> SharedRegion {
        let region = try rethrowing(
            SharedRegion(owning: start.region, count: SharedRegion.firstBytes)
        ) { (error: WireDamage) in
            WorkerFault("mmap")
        }
        try region.reserve(theme.count)
        guard (try? region.write(theme.span, at: 0)) != nil else {
            preconditionFailure("What was reserved is there.")
        }
        return region
    }

    deinit {
        close(socket)
        if pidfd >= 0 { close(pidfd) }
    }

    /// Kills the process, but never another one with its process id: a host program that waits for
    /// all its children frees the ids of workers.
    func kill() { _ = emb_worker_kill(process, pidfd) }

    func killAndReap() {
        kill()
        _ = reap(WorkerKeeper.reapMilliseconds)
    }

    /// Waits until the process has ended, up to the limit. The process is not reaped, so its id
    /// stays valid.
    func awaitEnd(_ milliseconds: Int32) { emb_worker_wait_for_end(process, pidfd, milliseconds) }

    /// Reaps the process and returns its wait status, which the system reports only once.
    func reap(_ milliseconds: Int32) -> Int32 { emb_worker_reap(process, pidfd, milliseconds) }

    /// Returns whether the worker received this theme last.
    func hasTheme(_ theme: [UInt8]) -> Bool { self.theme.withLock { $0 == theme } }

    /// Notes the theme that the worker receives.
    func noteTheme(_ theme: [UInt8]) { self.theme.withLock { $0 = theme } }

    private let finalProcessorTime = Mutex<UInt64?>(nil)

    /// The CPU time of the process since its start; nil if it is unknown.
    var processorTime: UInt64? {
        finalProcessorTime.withLock { $0 } ?? MonotonicClock.ofProcess(process)
    }

    /// Stores the CPU time, which is lost once the process is reaped.
    func noteEnd() {
        let time = MonotonicClock.ofProcess(process)
        finalProcessorTime.withLock { $0 = time }
    }

    var descriptor: Int32 { socket }

    enum Sending {
        case taken
        /// The worker closed its socket; the wait status tells how the worker ended.
        case closed
        case refused
    }

    /// Sends a request without waiting: a worker that does not read its messages is at fault.
    func send(_ request: WorkerRequest) -> Sending {
        let bytes = request.bytes
        return unsafe bytes.withUnsafeBytes { buffer in
            let count = unsafe Glibc.send(
                socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            if count == buffer.count { return .taken }
            return count < 0 && (errno == EPIPE || errno == ECONNRESET) ? .closed : .refused
        }
    }

    enum Arrival {
        case report(WorkerReply)
        case noMessage
        /// The worker closed its socket, or broke the protocol.
        case end
    }

    func receive() -> Arrival {
        var bytes = [UInt8](repeating: 0, count: WorkerReply.bytesLimit + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .noMessage : .end
        }
        guard count <= WorkerReply.bytesLimit else { return .end }
        bytes.removeLast(bytes.count - count)
        guard let reply = try? WorkerReply(bytes) else { return .end }
        return .report(reply)
    }
}
