import Synchronization
import System

/// The renderers and the memory that the orders of a backend share.
///
/// A task takes a renderer and memory together or waits for both. A waiting task holds neither, so
/// a large image that waits for memory blocks no renderer.
///
/// Requests are served in order, except that a small request may pass a large one that waits for
/// memory. Small grants hold at most a quarter of the memory, so they cannot starve a request for
/// the other three quarters. A larger request is passed at most `passesLimit` times.
///
/// A task that has a worker takes a renderer even if none is free, so fewer than none may be left.
/// The number of workers limits such tasks. If they had to return the worker and wait, their orders
/// would be sent later and without a group. Their small grants hold another quarter.
package final class Permits: Sendable {
    private struct Request {
        let bytes: Int
        /// Resumed with false if the task is cancelled first.
        let waiter = Waiter<Bool>()
    }

    private struct State {
        var renderers: Int
        var bytes: Int
        var requests = Deque<Request>()
        /// The number of times that the first request was passed.
        var passes = 0
        var greatestRenderers = 0
        var greatestBytes = 0
    }

    package let renderers: Int
    /// The memory for decoding, in bytes.
    package let bytes: Int
    /// Whether an order that needs more than all memory gets all of it. Otherwise it fails.
    package let admitsLarger: Bool
    /// The memory that is enough for most images. Each order takes it without reading a header.
    let smallBytes: Int
    private let state: Mutex<State>

    private static let passesLimit = 64

    package init(renderers: Int, bytes: Int, admitsLarger: Bool = false) {
        precondition(renderers > 0 && bytes > 0, "Permits need a renderer and memory.")
        self.renderers = renderers
        self.bytes = bytes
        self.admitsLarger = admitsLarger
        smallBytes = min(12 << 20, bytes / renderers / 4)
        state = Mutex(State(renderers: renderers, bytes: bytes))
    }

    package var greatestRenderers: Int { state.withLock { $0.greatestRenderers } }
    package var greatestBytes: Int { state.withLock { $0.greatestBytes } }
    package var waitingCount: Int { state.withLock { $0.requests.count } }

    /// Takes a renderer and `bytes`, at most all of them, if both are free and the request passes
    /// no other that it must wait for.
    ///
    /// - Parameter hasWorker: Whether a worker stands for the renderer.
    package func takeNow(_ bytes: Int, hasWorker: Bool = false) -> Grant? {
        let bytes = min(max(bytes, 0), self.bytes)
        let isServed = state.withLock { state in
            guard hasWorker || state.renderers > 0, state.bytes >= bytes else { return false }
            if !state.requests.isEmpty {
                guard bytes <= smallBytes, mayPassFirst(in: state, hasWorker: hasWorker) else {
                    return false
                }
                state.passes += 1
            }
            spend(bytes, in: &state)
            return true
        }
        return isServed ? Grant(self, bytes) : nil
    }

    /// Waits for a renderer and `bytes`, at most all of them. Returns nil if the task is cancelled
    /// while it waits.
    package func take(_ bytes: Int) async -> Grant? {
        guard !Task.isCancelled else { return nil }
        if let grant = takeNow(bytes) { return grant }
        let request = Request(bytes: min(max(bytes, 0), self.bytes))
        serve { $0.requests.append(request) }
        guard await request.waiter.value(onCancel: { self.leave(request) }) else { return nil }
        return Grant(self, request.bytes)
    }

    private func leave(_ request: Request) {
        var isLeft = false
        serve { state in
            let isFirst = state.requests.first?.waiter === request.waiter
            isLeft = state.requests.removeFirst { $0.waiter === request.waiter } != nil
            if isFirst { state.passes = 0 }
        }
        // A request that is no longer in the queue was served; its task receives the grant.
        if isLeft { request.waiter.resume(returning: false) }
    }

    fileprivate func give(renderers: Int, bytes: Int) {
        serve { state in
            state.renderers += renderers
            state.bytes += bytes
        }
    }

    /// Changes the state, and serves every request that can be served then.
    private func serve(after change: (inout State) -> Void) {
        let served = state.withLock { state in
            change(&state)
            var served: [Request] = []
            while let first = state.requests.first, fits(first.bytes, in: state) {
                state.passes = 0
                _ = state.requests.popFirst()
                spend(first.bytes, in: &state)
                served.append(first)
            }
            while state.renderers > 0, mayPassFirst(in: state) {
                let free = min(smallBytes, state.bytes)
                guard let next = state.requests.removeFirst(where: { $0.bytes <= free }) else {
                    break
                }
                state.passes += 1
                spend(next.bytes, in: &state)
                served.append(next)
            }
            return served
        }
        for request in served { request.waiter.resume(returning: true) }
    }

    private func fits(_ bytes: Int, in state: State) -> Bool {
        state.renderers > 0 && state.bytes >= bytes
    }

    private func mayPassFirst(in state: State, hasWorker: Bool = false) -> Bool {
        guard let first = state.requests.first else { return false }
        let smallGrants = renderers * smallBytes * (hasWorker ? 2 : 1)
        return first.bytes <= self.bytes - smallGrants
            || state.passes < Self.passesLimit
    }

    private func spend(_ bytes: Int, in state: inout State) {
        state.renderers -= 1
        state.bytes -= bytes
        state.greatestRenderers = max(state.greatestRenderers, renderers - state.renderers)
        state.greatestBytes = max(state.greatestBytes, self.bytes - state.bytes)
    }
}

extension Permits {
    /// A renderer and memory in use. The end of the value releases both.
    package struct Grant: ~Copyable, Sendable {
        private let permits: Permits
        package let bytes: Int
        private var hasRenderer = true

        fileprivate init(_ permits: Permits, _ bytes: Int) {
            self.permits = permits
            self.bytes = bytes
        }

        /// Releases only the renderer, for abandoned work that still uses its memory.
        package mutating func giveBackRenderer() {
            guard hasRenderer else { return }
            hasRenderer = false
            permits.give(renderers: 1, bytes: 0)
        }

        deinit { permits.give(renderers: hasRenderer ? 1 : 0, bytes: bytes) }
    }
}
