import CSandbox
import Glibc

/// The sockets of all workers and the eventfd of their keeper, listened to at once.
///
/// The kernel keeps the list, so that it costs nothing to have many workers.
struct WorkerWatch: Sendable {
    /// What has something to be heard.
    struct Heard {
        var serials: [Int] = []
        var isWoken = false
    }

    private let descriptor: Int32
    /// Otherwise `errno` says why not, until another call is made.
    let isListening: Bool
    private static let event = UInt64.max

    /// - Parameter eventfd: the eventfd; -1 where there is none.
    init(event: Int32) {
        descriptor = event >= 0 ? emb_worker_watch() : -1
        isListening = descriptor >= 0 && emb_worker_watch_add(descriptor, event, Self.event) == 0
    }

    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Begins to listen to a worker; false where the system does not.
    func add(_ worker: WorkerProcess) -> Bool {
        emb_worker_watch_add(descriptor, worker.descriptor, UInt64(worker.serial)) == 0
    }

    func remove(_ worker: WorkerProcess) {
        _ = emb_worker_watch_remove(descriptor, worker.descriptor)
    }

    /// Waits for a message, for the eventfd, or until the time is over.
    func wait(milliseconds: Int32) throws(WorkerFault) -> Heard {
        let most = Int(EMB_WORKER_WATCHED)
        return try unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: most) {
            numbers throws(WorkerFault) in
            let count = unsafe emb_worker_watch_wait(descriptor, numbers.baseAddress, milliseconds)
            guard count >= 0 || errno == EINTR else { throw WorkerFault("epoll_wait") }
            var heard = Heard()
            guard count > 0 else { return heard }
            for index in 0..<Int(count) {
                let number = unsafe numbers[index]
                if number == Self.event {
                    heard.isWoken = true
                } else {
                    heard.serials.append(Int(number))
                }
            }
            return heard
        }
    }
}
