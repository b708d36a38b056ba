import Engine
import Synchronization
import System
import Testing

@Suite("The loop of a run")
struct RunLoopTests {
    /// Runs the rows from 0 up to `count`, of which `local` may be in progress at once.
    private func run(
        _ count: Int, local: Int, isEnding: () -> Bool = { false },
        work: @escaping @Sendable (Int) async -> Void, receive: (Int) -> Void
    ) async {
        var bounds = LookAheadBounds()
        bounds.local = local
        var upcoming = (0..<count).makeIterator()
        await RunLoop.run(
            bounds, arrivals: { () -> Never? in nil },
            read: { _, lookAhead in
                while lookAhead.hasRoom, let index = upcoming.next() {
                    lookAhead.add(PlannedRow(place: index, index: index), nil)
                }
            },
            begin: { .work($0.row.index) },
            isEnding: isEnding,
            work: { index in
                await work(index)
                return (nil, index)
            },
            receive: { receive($0) })
    }

    @Test(
        "each row of a run ends exactly once for every width of the loop",
        arguments: [1, 2, 5, 500])
    func everyRowEndsOnce(width: Int) async {
        let living = Mutex((now: 0, most: 0))
        var ended: [Int] = []
        await run(
            200, local: width,
            work: { _ in
                living.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                await Task.yield()
                living.withLock { $0.now -= 1 }
            },
            receive: { ended.append($0) })
        #expect(ended.sorted() == Array(0..<200))
        #expect(living.withLock { $0.most } <= width)
    }

    @Test("a row that ends without a task lets the next row begin, and is not passed on")
    func endsWithoutTask() async {
        var bounds = LookAheadBounds()
        bounds.local = 1
        var upcoming = (0..<100).makeIterator()
        var (begun, received): ([Int], [Int]) = ([], [])
        await RunLoop.run(
            bounds, arrivals: { () -> Never? in nil },
            read: { _, lookAhead in
                guard let index = upcoming.next() else { return }
                lookAhead.add(PlannedRow(place: index, index: index), nil)
            },
            begin: { start in
                begun.append(start.row.index)
                return start.row.index % 10 == 0 ? .work(start.row.index) : .ended(nil)
            },
            work: { (nil, $0) }, receive: { received.append($0) })
        #expect(begun == Array(0..<100))
        #expect(received == Array(stride(from: 0, to: 100, by: 10)))
    }

    @Test("a run processes rows that arrive while others are in progress, until the last one")
    func arrivals() async {
        let upcoming = Mutex(0)
        var ended: [Int] = []
        await RunLoop.run(
            LookAheadBounds(),
            arrivals: { () -> [Int]? in
                await Task.yield()
                return upcoming.withLock { first in
                    guard first < 90 else { return nil }
                    defer { first += 30 }
                    return Array(first..<first + 30)
                }
            },
            read: { rows, lookAhead in
                for index in rows ?? [] {
                    lookAhead.add(PlannedRow(place: index, index: index), nil)
                }
            },
            begin: { .work($0.row.index) },
            work: { index in
                await Task.yield()
                return (nil, index)
            },
            receive: { ended.append($0) })
        #expect(ended.sorted() == Array(0..<90))
    }

    @Test("a run that is ending cancels the rows in progress and begins no other")
    func endingCancels() async {
        let started = Mutex(0)
        var isEnding = false
        let budget = Budget(total: 1)
        await run(
            100, local: 3, isEnding: { isEnding },
            work: { index in
                started.withLock { $0 += 1 }
                guard index < 2 else { return }
                // One row keeps the only unit until it is cancelled, and the other waits for it.
                guard let grant = try? await budget.grant(of: 1) else { return }
                try? await Task.sleep(for: .seconds(3_600))
                _ = consume grant
            },
            receive: { _ in isEnding = true })
        #expect(started.withLock { $0 } == 3)
    }

    @Test("a run that ends early without cancelling lets the rows in progress finish")
    func endingFinishesWork() async {
        var bounds = LookAheadBounds()
        bounds.local = 4
        var ended: [Bool] = []
        var upcoming = (0..<100).makeIterator()
        await RunLoop.run(
            bounds, arrivals: { () -> Never? in nil },
            read: { _, lookAhead in
                while let index = upcoming.next() {
                    lookAhead.add(PlannedRow(place: index, index: index), nil)
                }
            },
            begin: { .work($0.row.index) },
            isEnding: { !ended.isEmpty }, cancelsWork: false,
            work: { _ in
                await Task.yield()
                return (nil, Task.isCancelled)
            },
            receive: { ended.append($0) })
        #expect(ended == [false, false, false, false])
    }
}
