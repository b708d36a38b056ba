import Support
import Synchronization
import System
import Testing

@Suite("A budget of units")
struct BudgetTests {
    private final class Meter: Sendable {
        private let state = Mutex((now: 0, most: 0))

        func enter(_ amount: Int) {
            state.withLock {
                $0.now += amount
                $0.most = max($0.most, $0.now)
            }
        }

        func leave(_ amount: Int) { state.withLock { $0.now -= amount } }

        var most: Int { state.withLock { $0.most } }
        var now: Int { state.withLock { $0.now } }
    }

    @Test("a budget never gives out more than it holds", arguments: [1, 2, 7, 64])
    func neverExceedsTotal(total: Int) async throws {
        let budget = Budget(total: total)
        let meter = Meter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<300 {
                let amount = 1 + index % total
                group.addTask {
                    try await budget.withGrant(of: amount) {
                        meter.enter(amount)
                        await Task.yield()
                        meter.leave(amount)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(meter.now == 0)
        // The meter starts after the grant and stops before its end.
        #expect(meter.most <= budget.greatestUse && budget.greatestUse <= total)
    }

    @Test("a request above the total of a budget is lowered to the total and granted")
    func largeRequestsAreCut() async throws {
        let budget = Budget(total: 10)
        let value = try await budget.withGrant(of: 1_000) { 7 }
        #expect(value == 7)
        #expect(budget.greatestUse == 10)
    }

    @Test("a task that is cancelled while it waits for a budget leaves the queue")
    func cancellationLeavesTheQueue() async throws {
        let budget = Budget(total: 1)
        let gate = AsyncStream<Void>.makeStream()
        let holding = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await budget.withGrant(of: 1) {
                holding.continuation.finish()
                for await _ in gate.stream {}
            }
        }
        for await _ in holding.stream {}
        let waiter = Task { try await budget.withGrant(of: 1) { true } }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        let next = Task { try await budget.withGrant(of: 1) { true } }
        gate.continuation.finish()
        try await holder.value
        #expect(try await next.value)
    }

    @Test("a budget loses no unit when many tasks are cancelled at random moments")
    func randomCancellation() async throws {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        let budget = Budget(total: 3)
        let tasks = (0..<400).map { _ in
            Task { try await budget.withGrant(of: 2) { await Task.yield() } }
        }
        for task in tasks where random.next() % 2 == 0 { task.cancel() }
        for task in tasks { _ = await task.result }
        let whole = try await budget.withGrant(of: 3) { true }
        #expect(whole, "\(TestSeed.words)")
    }

    @Test("a budget rethrows the error of its body and takes its units back")
    func errorsGiveBack() async throws {
        struct Broken: Error {}
        let budget = Budget(total: 1)
        await #expect(throws: Broken.self) {
            try await budget.withGrant(of: 1) { throw Broken() }
        }
        #expect(try await budget.withGrant(of: 1) { true })
    }
}

extension Budget {
    fileprivate func withGrant<Value: Sendable>(
        of amount: Int, _ body: () async throws -> Value
    ) async throws -> Value {
        let grant = try await grant(of: amount)
        let value = try await body()
        _ = consume grant
        return value
    }
}
