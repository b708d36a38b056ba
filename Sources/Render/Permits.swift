import Synchronization
import System

/// The renderers and the memory that the orders of a backend share.
///
/// A task takes a renderer and memory together or waits for both. A waiting task holds neither, so
/// a large image that waits for memory blocks no renderer. `PermitsState` decides the order.
///
/// A task that has a worker takes a renderer even if none is free, so the number of free renderers
/// may become negative. The number of workers limits such tasks. If they had to return the worker
/// and wait, their orders would be sent later and without a group. Their small grants may hold a
/// quarter of the memory, in addition to the small grants of other tasks.
package final class Permits: Sendable {
    /// The conditions under which an order waits.
    package struct Terms: Hashable, Sendable {
        /// The key of the caller. Requests with different keys are served in turn.
        package var key = ""
        /// The most requests of the key that may wait at once.
        package var queueLimit = Int.max
        package var waitNanoseconds = UInt64.max
        /// The most memory for decoding that the order may take.
        package var memoryLimit = Int.max
        /// The kind of the order, as far as it is known without its header.
        package var kind = PermitsState.Kind.quick

        package init() {}
    }

    /// The reason why a request was not served.
    package enum Refusal: Error, Hashable, Sendable {
        case canceled
        case fullQueue
        case late
    }

    private struct State {
        var rules: PermitsState
        var waiters: [Int: Waiter<Refusal?>] = [:]
    }

    package let renderers: Int
    /// The memory for decoding, in bytes.
    package let bytes: Int
    /// Whether an order that needs more than all memory gets all of it. Otherwise it fails.
    package let admitsLarger: Bool
    /// Whether slow orders leave a renderer and memory to quick ones. The queue for permits is then
    /// the only one: an order waits here before it asks for a worker.
    package let isFair: Bool
    /// The memory that is enough for most images. Each order takes it without reading a header.
    let smallBytes: Int
    /// The CPU time after which an order may have to leave its renderer to a quick one. Most
    /// emblems take a few milliseconds.
    package static let quickNanoseconds: UInt64 = 60_000_000
    /// The CPU time after which an order that succeeded counts as slow next time.
    package static let slowNanoseconds: UInt64 = 250_000_000
    private let state: Mutex<State>

    /// - Parameters:
    ///   - smallBytes: The most memory of a small order.
    ///   - isFair: Whether slow orders leave a renderer and memory to quick ones. Requires at least
    ///     two renderers.
    package init(
        renderers: Int, bytes: Int, admitsLarger: Bool = false, smallBytes: Int? = nil,
        isFair: Bool = false
    ) {
        precondition(renderers > 0 && bytes > 0, "Permits need a renderer and memory.")
        self.renderers = renderers
        self.bytes = bytes
        self.admitsLarger = admitsLarger
        self.isFair = isFair
        self.smallBytes = smallBytes ?? min(12 << 20, bytes / renderers / 4)
        state = Mutex(
            State(
                rules: PermitsState(
                    renderers: renderers, bytes: bytes, quickRenderers: isFair ? 1 : 0,
                    smallBytes: self.smallBytes)))
    }

    package var greatestRenderers: Int { state.withLock { $0.rules.greatestRenderers } }
    package var greatestBytes: Int { state.withLock { $0.rules.greatestBytes } }
    package var waitingCount: Int { state.withLock { $0.rules.waitingCount } }

    /// Takes a renderer and `bytes`, limited to all memory, if both are free and no waiting request
    /// must be served before.
    ///
    /// - Parameter hasWorker: Whether the task has a worker and needs no free renderer.
    package func takeNow(_ bytes: Int, hasWorker: Bool = false) -> Grant? {
        let served = state.withLock { state -> PermitsState.Request? in
            let request = state.rules.request(bytes)
            return state.rules.takeNow(request, hasWorker: hasWorker) ? request : nil
        }
        return served.map { Grant(self, $0) }
    }

    /// Waits for a renderer and `bytes`, limited to all memory.
    package func take(
        _ bytes: Int, _ terms: Terms = Terms()
    ) async throws(Refusal) -> Grant {
        guard !Task.isCancelled else { throw .canceled }
        let waiter = Waiter<Refusal?>()
        let (request, isServed) = try state.withLock { state throws(Refusal) in
            let request = state.rules.request(bytes, terms.kind, key: terms.key)
            if state.rules.takeNow(request) { return (request, true) }
            guard state.rules.waitingCount(of: terms.key) < terms.queueLimit else {
                throw .fullQueue
            }
            state.waiters[request.id] = waiter
            state.rules.enqueue(request)
            return (request, false)
        }
        if isServed { return Grant(self, request) }
        if let refusal = await wait(for: request, waiter, terms.waitNanoseconds) { throw refusal }
        return Grant(self, request)
    }

    private func wait(
        for request: PermitsState.Request, _ waiter: Waiter<Refusal?>, _ nanoseconds: UInt64
    ) async -> Refusal? {
        guard nanoseconds < .max else {
            return await waiter.value { self.leave(request, .canceled) }
        }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let limit = Duration.nanoseconds(Int64(clamping: nanoseconds))
                do { try await Task.sleep(for: limit) } catch { return }
                self.leave(request, .late)
            }
            defer { group.cancelAll() }
            return await waiter.value { self.leave(request, .canceled) }
        }
    }

    /// Removes a request from the queue and resumes its task with `refusal`.
    private func leave(_ request: PermitsState.Request, _ refusal: Refusal) {
        // A request that is no longer in the queue was served; its task receives the grant.
        resume { state in
            let (wasWaiting, served) = state.rules.leave(request)
            let left = wasWaiting ? state.waiters.removeValue(forKey: request.id) : nil
            return (left.map { ($0, refusal) }, served)
        }
    }

    fileprivate func release(_ id: Int) {
        resume { (nil, $0.rules.release(id)) }
    }

    fileprivate func releaseRenderer(_ id: Int) {
        resume { (nil, $0.rules.releaseRenderer(id)) }
    }

    fileprivate func pace(of id: Int) -> PermitsState.Pace {
        var pace = PermitsState.Pace.settled
        resume { state in
            let answer = state.rules.pace(of: id)
            pace = answer.pace
            return (nil, answer.served)
        }
        return pace
    }

    /// Changes the state, and resumes the task that left the queue and the tasks that were served.
    private func resume(
        after change: (inout State) -> (left: (Waiter<Refusal?>, Refusal)?, [PermitsState.Request])
    ) {
        let (left, served) = state.withLock { state in
            let (left, served) = change(&state)
            return (left, served.compactMap { state.waiters.removeValue(forKey: $0.id) })
        }
        left?.0.resume(returning: left?.1)
        for waiter in served { waiter.resume(returning: nil) }
    }
}

extension Permits {
    /// A renderer and memory in use. Both are released when the value is destroyed.
    package struct Grant: ~Copyable, Sendable {
        private let permits: Permits
        private let request: PermitsState.Request
        package var bytes: Int { request.bytes }

        fileprivate init(_ permits: Permits, _ request: PermitsState.Request) {
            self.permits = permits
            self.request = request
        }

        /// Releases only the renderer, for abandoned work that still uses its memory.
        package func giveBackRenderer() { permits.releaseRenderer(request.id) }

        /// The pacer of the work; nil if the work counts as slow already.
        package var pacer: Pacer? {
            permits.isFair && request.kind != .slow ? Pacer(permits: permits, id: request.id) : nil
        }

        deinit { permits.release(request.id) }
    }

    /// Decides whether work that takes longer than `quickNanoseconds` may continue.
    package struct Pacer: Sendable {
        fileprivate let permits: Permits
        fileprivate let id: Int

        package func decide() -> PermitsState.Pace { permits.pace(of: id) }
    }
}
