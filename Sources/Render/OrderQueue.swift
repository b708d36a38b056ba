import Codecs
import Raster
import Synchronization
import System

/// The slots and the memory that the orders of a backend share.
///
/// A slot stands for a worker process, or for a thread of this process. An order waits for its
/// memory first, and then for a slot; both waits are served in the order of arrival. A small order
/// takes no memory from the budget, since all slots together hold at most a quarter of the memory
/// in small orders. So no small order waits for the memory of a large picture.
///
/// If the queue is fair, an expensive picture mostly delays itself: large pictures, and drawings
/// that have taken long, use at most half of the slots while other orders are in progress or wait,
/// and never the last free slot.
package final class OrderQueue: Sendable {
    package let slots: Int
    /// The memory for decoding, in bytes.
    package let bytes: Int
    /// The memory of all orders that are not small.
    package let memory: Budget
    /// Whether an order that needs more than all memory gets all of it. Otherwise it fails.
    private let admitsLarger: Bool
    package let isFair: Bool
    /// The most memory of a small order.
    package let smallBytes: Int
    private let state: Mutex<State>

    /// The CPU time from which a drawing counts as slow in a fair queue.
    package static let quickNanoseconds: UInt64 = 100_000_000

    /// - Parameters:
    ///   - smallBytes: The most memory of a small order; nil for a quarter of the memory, divided by
    ///     the slots.
    ///   - isFair: Requires at least two slots.
    package init(
        slots: Int, bytes: Int, admitsLarger: Bool = false, smallBytes: Int? = nil,
        isFair: Bool = false
    ) {
        precondition(slots > (isFair ? 1 : 0) && bytes > 0, "A queue needs slots and memory.")
        self.slots = slots
        self.bytes = bytes
        self.admitsLarger = admitsLarger
        self.isFair = isFair
        self.smallBytes = smallBytes ?? min(12 << 20, bytes / slots / 4)
        memory = Budget(total: bytes - slots * self.smallBytes)
        state = Mutex(State(slots: slots))
    }

    /// The number of orders that wait for memory or for a slot.
    package var waitingCount: Int { state.withLock { $0.waitingCount } + memory.waitingCount }
    /// The most slots that were in use at once.
    package var greatestSlots: Int { state.withLock { $0.greatestSlots } }
    /// The number of orders that were sent in the request of another order.
    package var groupedCount: Int { state.withLock { $0.groupedCount } }

    /// Returns the most memory that an order may take for decoding.
    package func allowance(for order: RenderOrder) -> Int {
        max(0, min(admitsLarger ? .max : bytes, order.memoryLimit) - order.besideBytes)
    }

    /// Waits for the memory of an order; returns nil for a small order, which needs none.
    package func memory(
        for order: RenderOrder, _ estimate: OrderEstimate
    ) async throws(OrderError) -> Grant? {
        let bytes = estimate.bytes.saturating(plus: order.besideBytes)
        guard bytes > smallBytes else { return nil }
        guard memory.isFree(bytes) || waitingCount < order.queueLimit else { throw .fullQueue }
        do throws(CancellationError) {
            return try await memory.grant(of: bytes)
        } catch {
            throw .render(.stopped)
        }
    }

    /// Waits until it is an order's turn.
    package func turn(of order: WaitingOrder) async throws(OrderError) -> WaitingOrder.Turn {
        guard !Task.isCancelled else { throw .render(.stopped) }
        let others = memory.waitingCount
        let (served, isRefused) = state.withLock { state in
            let waiting = state.waitingCount + others
            state.enqueue(order)
            let served = state.serve()
            let isRefused = served.isEmpty && waiting >= order.order.queueLimit
            return (served, isRefused && state.remove(order))
        }
        if isRefused { throw .fullQueue }
        resume(served)
        return try await order.waiter.value { self.leave(order) }.get()
    }

    /// Waits for the memory and the slot of an order that this process carries out. Drawings count
    /// as slow, because a thread cannot be stopped.
    package func place(
        for order: RenderOrder, in renderer: Renderer
    ) async throws(OrderError) -> OrderPlace {
        let estimate = OrderEstimate(of: order, in: renderer, memoryBytes: bytes)
        let memory = try await memory(for: order, estimate)
        let isSlow = isFair && (estimate.isLarge || estimate.format?.isVector == true)
        let waiting = WaitingOrder(order, isSlow: isSlow)
        guard case .slot(let slot) = try await turn(of: waiting) else {
            preconditionFailure("Only an order that can be grouped is answered.")
        }
        return OrderPlace(self, slot: slot, memory)
    }

    /// Frees a slot.
    ///
    /// - Parameter isCold: Whether the slot has no worker process, so that the others are used
    ///   first.
    package func release(_ slot: Int, isCold: Bool = false) {
        resume(
            state.withLock { state in
                state.slowSlots.remove(slot)
                // The slot that was used last is reused first: its memory is probably cached.
                state.free.insert(slot, at: isCold ? 0 : state.free.count)
                return state.serve()
            })
    }

    /// Removes from the queue the next orders that can share a request with `first`, but at most
    /// its share of all waiting orders, so that the other slots can get as many.
    package func companions(
        of first: WaitingOrder, most: Int, bytesLimit: Int
    ) -> [WaitingOrder] {
        guard var bytes = first.groupBytes else { return [] }
        return state.withLock { state in
            let share = (state.quick.count + slots) / slots
            var others: [WaitingOrder] = []
            while others.count + 1 < min(share, most), let next = state.quick.first?.order,
                let more = next.groupBytes, bytes + more <= bytesLimit
            {
                _ = state.quick.popFirst()
                next.isInGroup.store(true, ordering: .relaxed)
                others.append(next)
                bytes += more
            }
            state.groupedCount += others.count
            return others
        }
    }

    /// The decision about a drawing that has taken longer than `quickNanoseconds`.
    package enum Pace: Sendable {
        /// The drawing counts as slow from now on.
        case continues
        /// Slow orders have their share, and no other order waits. Ask again later.
        case undecided
        /// Another order waits for the slot. The drawing must end and queue as a slow order.
        case yields
    }

    package func pace(of slot: Int) -> Pace {
        let (pace, served) = state.withLock { state -> (Pace, [(WaitingOrder, Int)]) in
            if state.slowSlots.contains(slot) { return (.continues, []) }
            // The drawing counts as quick only for others.
            guard state.slowSlots.count < state.slowLimit(quickSlots: state.quickSlots - 1) else {
                return (state.quick.isEmpty ? .undecided : .yields, [])
            }
            state.slowSlots.insert(slot)
            return (.continues, state.serve())
        }
        resume(served)
        return pace
    }

    /// Removes an order whose task was cancelled from the queue or from its group. The other orders
    /// of the group are not affected. An order that has a slot keeps it.
    private func leave(_ order: WaitingOrder) {
        let (isRemoved, served) = state.withLock { state in
            (state.remove(order), state.serve())
        }
        if isRemoved || order.isInGroup.load(ordering: .relaxed) {
            order.waiter.resume(returning: .failure(.render(.stopped)))
        }
        resume(served)
    }

    private func resume(_ served: [(order: WaitingOrder, slot: Int)]) {
        for (order, slot) in served { order.waiter.resume(returning: .success(.slot(slot))) }
    }
}

/// The slot and the memory of an order, which the end of its lifetime frees.
package struct OrderPlace: ~Copyable, Sendable {
    private let queue: OrderQueue
    package private(set) var slot: Int?
    private let memory: Grant?

    fileprivate init(_ queue: OrderQueue, slot: Int, _ memory: consuming Grant?) {
        self.queue = queue
        self.slot = slot
        self.memory = memory
    }

    /// Frees only the slot, for abandoned work that still uses its memory.
    package mutating func releaseSlot() {
        if let slot { queue.release(slot) }
        slot = nil
    }

    deinit { if let slot { queue.release(slot) } }
}

/// An order that waits for its turn.
package final class WaitingOrder: Sendable {
    package enum Turn: Sendable {
        case slot(Int)
        /// Another order had this one in its request; nil if the order must be repeated alone.
        case answered(RenderAnswer?)
    }

    package let order: RenderOrder
    /// The most bytes of the outcome, if the order may share a request with others; else nil.
    package let groupBytes: Int?
    fileprivate let isSlow: Bool
    fileprivate let waiter = Waiter<Result<Turn, OrderError>>()
    /// Whether the order is in the request of another one; changed under the lock of the queue.
    fileprivate let isInGroup = Atomic(false)

    package init(_ order: RenderOrder, isSlow: Bool = false, groupBytes: Int? = nil) {
        self.order = order
        self.isSlow = isSlow
        self.groupBytes = groupBytes
    }

    package func answer(_ answer: RenderAnswer?) {
        waiter.resume(returning: .success(.answered(answer)))
    }
}

extension OrderQueue {
    /// The free slots and the waiting orders. Functions that change them return the orders that are
    /// served now, which the caller resumes after it has released the lock.
    fileprivate struct State {
        typealias Entry = (number: Int, order: WaitingOrder)

        let slots: Int
        var free: [Int]
        var quick = Deque<Entry>()
        var slow = Deque<Entry>()
        /// The slots of slow orders.
        var slowSlots: Set<Int> = []
        var greatestSlots = 0
        var groupedCount = 0
        private var nextNumber = 0

        init(slots: Int) {
            self.slots = slots
            free = (0..<slots).reversed()
        }

        var waitingCount: Int { quick.count + slow.count }
        var quickSlots: Int { slots - free.count - slowSlots.count }

        /// Returns the number of slots that slow orders can use next to this many quick ones.
        func slowLimit(quickSlots: Int) -> Int {
            max(1, quick.isEmpty && quickSlots == 0 ? slots - 1 : slots / 2)
        }

        mutating func enqueue(_ order: WaitingOrder) {
            let entry = (number: nextNumber, order: order)
            nextNumber += 1
            if order.isSlow { slow.append(entry) } else { quick.append(entry) }
        }

        mutating func remove(_ order: WaitingOrder) -> Bool {
            quick.removeFirst { $0.order === order } != nil
                || slow.removeFirst { $0.order === order } != nil
        }

        /// Gives free slots to the orders at the heads of the queues, the oldest first.
        mutating func serve() -> [(WaitingOrder, Int)] {
            var served: [(WaitingOrder, Int)] = []
            while let slot = free.last {
                var isSlow = false
                if let late = slow.first, slowSlots.count < slowLimit(quickSlots: quickSlots) {
                    isSlow = quick.first.map { late.number < $0.number } ?? true
                }
                guard let next = isSlow ? slow.popFirst() : quick.popFirst() else { break }
                free.removeLast()
                if isSlow { slowSlots.insert(slot) }
                served.append((next.order, slot))
            }
            greatestSlots = max(greatestSlots, slots - free.count)
            return served
        }
    }
}
