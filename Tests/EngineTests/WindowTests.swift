import Engine
import Synchronization
import Testing

@Suite("The sliding window")
struct WindowTests {
    @Test("each piece of work ends exactly once, whatever the width", arguments: [1, 2, 5, 500])
    func everyPieceEndsOnce(width: Int) async {
        var upcoming = (0..<200).makeIterator()
        var open = 0
        var ended: [Int] = []
        await Window.slide(
            next: { () -> Int? in
                guard open < width, let number = upcoming.next() else { return nil }
                open += 1
                return number
            },
            work: { number in
                await Task.yield()
                return number
            },
            receive: {
                open -= 1
                ended.append($0)
            })
        #expect(ended.sorted() == Array(0..<200))
    }

    @Test("what may not start now is asked for again after each end")
    func intakeIsAskedAgain() async {
        var isFree = true
        var started = 0
        let living = Mutex((now: 0, most: 0))
        await Window.slide(
            next: { () -> Int? in
                guard isFree, started < 50 else { return nil }
                isFree = false
                started += 1
                return started
            },
            work: { number in
                living.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                await Task.yield()
                living.withLock { $0.now -= 1 }
                return number
            }, receive: { _ in isFree = true })
        #expect(started == 50)
        #expect(living.withLock { $0.most } == 1)
    }

    @Test("when the intake ends early, the children in flight are still received")
    func earlyEndIsOrderly() async {
        var given = 0
        var received = 0
        await Window.slide(
            next: { () -> Int? in
                guard received < 10, given - received < 4 else { return nil }
                given += 1
                return given
            }, work: { (number: Int) in number }, receive: { _ in received += 1 })
        #expect(received == given)
        #expect(received >= 10)
    }

    @Test("once the run is ending, children in flight are cancelled and nothing more starts")
    func endingCancels() async {
        var started = 0
        var isEnding = false
        let budget = Budget(total: 1)
        await Window.slide(
            next: { () -> Int? in
                guard started < 3 else { return nil }
                started += 1
                return started
            },
            isEnding: { isEnding },
            work: { number in
                guard number < 3 else { return number }
                // One child keeps the only unit until it is cancelled, and the other waits for it.
                guard let grant = try? await budget.grant(of: 1) else { return number }
                try? await Task.sleep(for: .seconds(3_600))
                _ = consume grant
                return number
            },
            receive: { _ in isEnding = true })
        #expect(started == 3)
    }
}
