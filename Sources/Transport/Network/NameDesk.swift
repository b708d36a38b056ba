import Glibc
import Synchronization

/// Looks names up on threads of its own, so that a server that never answers holds up nobody else.
final class NameDesk: Sendable {
    private struct State {
        var waiting = Line<String>()
        var threads = 0
        var idle = 0
        var isClosed = false
    }

    private static let threadsLimit = 32
    private let resolver: any NameResolving
    private let deliver: @Sendable (String, NameAnswer) -> Void
    private let state = Mutex(State())
    private let bell = Bell()

    init(
        _ resolver: any NameResolving, deliver: @escaping @Sendable (String, NameAnswer) -> Void
    ) {
        self.resolver = resolver
        self.deliver = deliver
    }

    /// Begins a look-up; the answer comes on another thread.
    func ask(_ host: String) {
        let needsThread = state.withLock { state in
            state.waiting.append(host)
            guard state.waiting.count > state.idle, state.threads < Self.threadsLimit else {
                return false
            }
            state.threads += 1
            return true
        }
        if needsThread {
            Thread.start("emblem-dns", stackBytes: 256 << 10) { [self] in work() }
        } else {
            bell.ring()
        }
    }

    /// Drops what waits and lets the threads end once their present look-ups do.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.waiting = Line()
        }
        for _ in 0..<Self.threadsLimit { bell.ring() }
    }

    private func work() {
        while true {
            let host = state.withLock { state -> String? in
                let host = state.waiting.popFirst()
                if host == nil { state.idle += 1 }
                return host
            }
            if let host {
                deliver(host, resolver.addresses(of: host))
                continue
            }
            bell.wait()
            let ends = state.withLock { state in
                state.idle -= 1
                return state.isClosed
            }
            if ends { return }
        }
    }
}

/// A counted wake-up call between threads.
@safe
private final class Bell: @unchecked Sendable {
    // The semaphore guards itself; its address never changes.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func ring() {
        unsafe sem_post(semaphore)
    }

    func wait() {
        while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
