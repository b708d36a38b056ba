import Synchronization
import System

/// Looks names up on threads of its own, so that a server that never answers holds up nobody else.
final class DNSWorkers: Sendable {
    private struct State {
        var waiting = Deque<String>()
        var threads = 0
        var idle = 0
        var isClosed = false
    }

    private static let threadsLimit = 32
    private let resolver: any NameResolving
    private let deliver: @Sendable (String, NameAnswer) -> Void
    private let state = Mutex(State())
    private let bell = Semaphore()

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
            bell.signal()
        }
    }

    /// Drops what waits and lets the threads end once their present look-ups do.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.waiting = Deque()
        }
        for _ in 0..<Self.threadsLimit { bell.signal() }
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
