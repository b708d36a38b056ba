import CSandbox
import Glibc

/// Watches the sockets of all workers and the eventfd of the keeper with epoll, so that the cost of
/// a wait does not grow with the number of workers.
struct WorkerWatch: Sendable {
    /// The workers and the eventfd that have something to read.
    struct Heard {
        var slots: [Int] = []
        var isWoken = false
    }

    private let descriptor: Int32
    /// Whether the watch works; otherwise `errno` holds the reason until the next call.
    let isListening: Bool
    private static let event = UInt64.max

    init(event: Int32) {
        descriptor = event >= 0 ? emb_worker_epoll() : -1
        isListening = descriptor >= 0 && emb_worker_epoll_add(descriptor, event, Self.event) == 0
    }

    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Adds a worker; returns false if the system refuses.
    func add(_ worker: WorkerProcess) -> Bool {
        emb_worker_epoll_add(descriptor, worker.descriptor, UInt64(worker.slot)) == 0
    }

    func remove(_ worker: WorkerProcess) {
        _ = emb_worker_epoll_remove(descriptor, worker.descriptor)
    }

    /// Waits for a message, for the eventfd, or for the time to pass.
    func wait(milliseconds: Int32) throws(WorkerFault) -> Heard {
        let most = Int(EMB_WORKER_EPOLL_EVENTS)
        return try unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: most) {
            numbers throws(WorkerFault) in
            let count = unsafe emb_worker_epoll_wait(descriptor, numbers.baseAddress, milliseconds)
            guard count >= 0 || errno == EINTR else { throw WorkerFault("epoll_wait") }
            var heard = Heard()
            guard count > 0 else { return heard }
            for index in 0..<Int(count) {
                let number = unsafe numbers[index]
                if number == Self.event {
                    heard.isWoken = true
                } else {
                    heard.slots.append(Int(number))
                }
            }
            return heard
        }
    }
}
