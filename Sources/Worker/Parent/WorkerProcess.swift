import CSandbox
import Glibc
import Render
import Synchronization
import System

/// A worker process, as its keeper holds it.
final class WorkerProcess: Sendable {
    /// Tells workers apart; the numbers of processes are used again.
    let serial: Int
    let process: pid_t
    /// It came from dividing this process, as others did: their code lies at the same addresses.
    let isForked: Bool
    let region: SharedRegion
    private let socket: Int32
    /// Names the process for good, whatever becomes of its number: -1 where the kernel has no such
    /// thing.
    private let handle: Int32
    /// What it draws in, as it was last told.
    private let theme: Mutex<[UInt8]>

    /// Takes over a process that was made when this one began, or starts one; it dies with the
    /// calling thread.
    init(serial: Int, settings: WorkerSettings, theme: [UInt8]) throws(WorkerFault) {
        let start = try Self.start(settings)
        do throws(WorkerFault) {
            region = try Self.region(of: start, holding: theme)
        } catch {
            close(start.socket)
            _ = emb_worker_kill(start.process, start.handle)
            _ = emb_worker_reap(start.process, start.handle, WorkerKeeper.buryMilliseconds)
            if start.handle >= 0 { close(start.handle) }
            throw error
        }
        handle = start.handle
        self.theme = Mutex(theme)
        self.serial = serial
        process = start.process
        isForked = start.isForked
        socket = start.socket
        _ = send(
            .begin(
                mapped: region.count, themeBytes: theme.count, memoryBytes: settings.memoryBytes))
    }

    private static func start(_ settings: WorkerSettings) throws(WorkerFault) -> WorkerStart {
        if settings.adopts, let born = Prefork.take() { return born }
        var start = try WorkerStart()
        try start.spawn(settings.program)
        return start
    }

    private static func region(
        of start: WorkerStart, holding theme: [UInt8]
    ) throws(WorkerFault) -> SharedRegion {
        let region: SharedRegion
        do throws(WireDamage) {
            region = try SharedRegion(owning: start.region, count: SharedRegion.firstBytes)
        } catch {
            throw WorkerFault("mmap")
        }
        try region.reserve(theme.count)
        do throws(WireDamage) {
            try region.write(theme.span, at: 0)
        } catch {
            preconditionFailure("What was reserved is there.")
        }
        return region
    }

    deinit {
        close(socket)
        if handle >= 0 { close(handle) }
    }

    /// Kills the process, and no other that may have its number by now: a program that waits for
    /// all its children frees the numbers of ours.
    func kill() { _ = emb_worker_kill(process, handle) }

    /// Ends a process that nobody has heard of yet.
    func abandon() {
        kill()
        _ = reap(WorkerKeeper.buryMilliseconds)
    }

    /// Waits until the process has ended, but not for ever; its number stays its own.
    func awaitEnd(_ milliseconds: Int32) { emb_worker_await_end(process, handle, milliseconds) }

    /// How the process ended, as the system tells it once.
    func reap(_ milliseconds: Int32) -> Int32 { emb_worker_reap(process, handle, milliseconds) }

    func draws(in theme: [UInt8]) -> Bool { self.theme.withLock { $0 == theme } }

    func changes(to theme: [UInt8]) { self.theme.withLock { $0 = theme } }

    /// What the processors had worked for it when it ended.
    private let finalProcessorTime = Mutex<UInt64?>(nil)

    /// What the processors have worked for it.
    var processorTime: UInt64? {
        finalProcessorTime.withLock { $0 } ?? MonotonicClock.ofProcess(process)
    }

    /// Keeps what can only be asked while nobody has waited for a process that ended.
    func noteEnd() {
        let time = MonotonicClock.ofProcess(process)
        finalProcessorTime.withLock { $0 = time }
    }

    /// What the thread waits on.
    var descriptor: Int32 { socket }

    /// What became of a message.
    enum Sending {
        case taken
        /// The other end is closed: how the worker ended is heard from the system.
        case closed
        case refused
    }

    /// Never waits: a worker that does not take its messages is at fault.
    func send(_ request: WorkerRequest) -> Sending {
        let bytes = request.bytes
        return unsafe bytes.withUnsafeBytes { buffer in
            let count = unsafe Glibc.send(
                socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            if count == buffer.count { return .taken }
            return count < 0 && (errno == EPIPE || errno == ECONNRESET) ? .closed : .refused
        }
    }

    /// What came over the socket.
    enum Arrival {
        case report(WorkerReply)
        case nothing
        /// The other end is closed, or breaks the rules.
        case end
    }

    func receive() -> Arrival {
        var bytes = [UInt8](repeating: 0, count: WorkerReply.bytesLimit + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
        }
        guard count <= WorkerReply.bytesLimit else { return .end }
        bytes.removeLast(bytes.count - count)
        do throws(WireDamage) {
            return .report(try WorkerReply(bytes))
        } catch {
            return .end
        }
    }
}
