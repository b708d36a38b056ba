import Synchronization

/// A number of units that tasks take for a while and give back: renderers, bytes, connections.
///
/// Grants are given in the order of asking, so a large request is never overtaken for ever by
/// small ones. A task that is cancelled while it waits leaves the queue at once.
package final class Budget: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let amount: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var waiters: [Waiter] = []
        var nextTicket: UInt64 = 0
        /// Tickets whose task was cancelled before it stood in the queue.
        var canceledEarly: Set<UInt64> = []
        var greatestUse = 0
    }

    /// How many units there are in all.
    package let total: Int
    private let state: Mutex<State>

    package init(total: Int) {
        precondition(total > 0, "A budget holds at least one unit.")
        self.total = total
        state = Mutex(State(free: total))
    }

    /// The most units that were ever out at once.
    package var greatestUse: Int { state.withLock { $0.greatestUse } }

    /// Waits for `amount` units and hands them over; they come back when the grant is let go.
    ///
    /// An amount above the total is cut to the total, so that every request can be met.
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    package func grant(of amount: Int) async throws(CancellationError) -> Grant {
        let amount = min(max(amount, 0), total)
        guard await take(amount) else { throw CancellationError() }
        return Grant(budget: self, amount: amount)
    }

    /// Hands over `amount` units where they can be had at once without overtaking anybody.
    package func grantNow(of amount: Int) -> Grant? {
        guard amount > 0, amount <= total else { return nil }
        let isFree = state.withLock { state in
            guard state.waiters.isEmpty, state.free >= amount else { return false }
            Self.spend(amount, from: &state, total: total)
            return true
        }
        return isFree ? Grant(budget: self, amount: amount) : nil
    }

    /// Waits for `amount` units; `false` when the task was cancelled first.
    private func take(_ amount: Int) async -> Bool {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let granted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(Waiter(ticket: ticket, amount: amount, continuation: continuation))
            }
        } onCancel: {
            leave(ticket)
        }
        _ = state.withLock { $0.canceledEarly.remove(ticket) }
        return granted
    }

    private func enter(_ waiter: Waiter) {
        let answer: Bool? = state.withLock { state in
            if state.canceledEarly.contains(waiter.ticket) { return false }
            guard state.waiters.isEmpty, state.free >= waiter.amount else {
                state.waiters.append(waiter)
                return nil
            }
            Self.spend(waiter.amount, from: &state, total: total)
            return true
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    private func leave(_ ticket: UInt64) {
        let (left, served) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard let place = state.waiters.firstIndex(where: { $0.ticket == ticket }) else {
                state.canceledEarly.insert(ticket)
                return (nil, [])
            }
            let waiter = state.waiters.remove(at: place)
            return (waiter, Self.serve(&state, total: total))
        }
        left?.continuation.resume(returning: false)
        for waiter in served { waiter.continuation.resume(returning: true) }
    }

    fileprivate func give(_ amount: Int) {
        let served = state.withLock { state in
            state.free += amount
            return Self.serve(&state, total: total)
        }
        for waiter in served { waiter.continuation.resume(returning: true) }
    }

    /// Takes from the head of the queue whoever can be met now.
    private static func serve(_ state: inout State, total: Int) -> [Waiter] {
        var served: [Waiter] = []
        while let first = state.waiters.first, first.amount <= state.free {
            spend(first.amount, from: &state, total: total)
            served.append(state.waiters.removeFirst())
        }
        return served
    }

    private static func spend(_ amount: Int, from state: inout State, total: Int) {
        state.free -= amount
        state.greatestUse = max(state.greatestUse, total - state.free)
    }
}

/// Units taken from a budget; letting go of the value gives them back.
package struct Grant: ~Copyable, Sendable {
    private let budget: Budget
    package let amount: Int

    fileprivate init(budget: Budget, amount: Int) {
        self.budget = budget
        self.amount = amount
    }

    deinit { budget.give(amount) }
}
