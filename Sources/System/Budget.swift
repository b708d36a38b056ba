import Synchronization

/// A limited number of units, such as bytes or connections, which tasks acquire and
/// release.
///
/// Requests are granted in order, so small requests never starve a large one. A task that is
/// cancelled while it waits leaves the queue at once.
package final class Budget: Sendable {
    private struct Request {
        let amount: Int
        /// Resumed with false if the task is cancelled first.
        let waiter = Waiter<Bool>()
    }

    private struct State {
        var free: Int
        var requests = Deque<Request>()
        var greatestUse = 0
    }

    package let total: Int
    private let state: Mutex<State>

    package init(total: Int) {
        precondition(total > 0, "A budget holds at least one unit.")
        self.total = total
        state = Mutex(State(free: total))
    }

    package var greatestUse: Int { state.withLock { $0.greatestUse } }
    package var waitingCount: Int { state.withLock { $0.requests.count } }

    /// Returns whether a request for this amount would be granted at once.
    package func isFree(_ amount: Int) -> Bool {
        state.withLock { $0.requests.isEmpty && min(amount, total) <= $0.free }
    }

    /// Waits for `amount` units; the end of the grant's lifetime returns them.
    ///
    /// An amount above the total is reduced to the total, so that every request can be met.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    package func grant(of amount: Int) async throws(CancellationError) -> Grant {
        let amount = min(max(amount, 0), total)
        guard await take(amount) else { throw CancellationError() }
        return Grant(budget: self, amount: amount)
    }

    /// Waits for `amount` units; returns false if the task was cancelled first.
    private func take(_ amount: Int) async -> Bool {
        guard !Task.isCancelled else { return false }
        let request = Request(amount: amount)
        let isServed = state.withLock { state in
            guard state.requests.isEmpty, state.free >= amount else {
                state.requests.append(request)
                return false
            }
            Self.spend(amount, from: &state, total: total)
            return true
        }
        if isServed { return true }
        return await request.waiter.value { self.leave(request) }
    }

    /// Removes the request of a cancelled task from the queue.
    private func leave(_ request: Request) {
        let (left, served) = state.withLock { state -> (Request?, [Waiter<Bool>]) in
            let left = state.requests.removeFirst { $0.waiter === request.waiter }
            return (left, left == nil ? [] : Self.serve(&state, total: total))
        }
        // A request that is no longer in the queue was granted, and `give` or `leave` resumes its
        // waiter.
        left?.waiter.resume(returning: false)
        for waiter in served { waiter.resume(returning: true) }
    }

    /// Releases units and grants the requests that fit now.
    fileprivate func give(_ amount: Int) {
        let served = state.withLock { state in
            state.free += amount
            return Self.serve(&state, total: total)
        }
        for waiter in served { waiter.resume(returning: true) }
    }

    /// Removes the requests at the head of the queue that can be granted now.
    private static func serve(_ state: inout State, total: Int) -> [Waiter<Bool>] {
        var served: [Waiter<Bool>] = []
        while let first = state.requests.first, first.amount <= state.free,
            let request = state.requests.popFirst()
        {
            spend(request.amount, from: &state, total: total)
            served.append(request.waiter)
        }
        return served
    }

    private static func spend(_ amount: Int, from state: inout State, total: Int) {
        state.free -= amount
        state.greatestUse = max(state.greatestUse, total - state.free)
    }
}

/// Units taken from a budget; its deinit returns them.
package struct Grant: ~Copyable, Sendable {
    private let budget: Budget
    package let amount: Int

    fileprivate init(budget: Budget, amount: Int) {
        self.budget = budget
        self.amount = amount
    }

    deinit { budget.give(amount) }
}
