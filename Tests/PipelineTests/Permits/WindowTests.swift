import Pipeline
import Synchronization
import Testing

@Suite("The sliding window")
struct WindowTests {
    @Test("each piece of work ends exactly once, whatever the width", arguments: [1, 2, 5, 500])
    func everyPieceEndsOnce(width: Int) async {
        var upcoming = (0..<200).makeIterator()
        var ended: [Int] = []
        await Window.slide(
            width: width, next: { upcoming.next() },
            work: { number in
                await Task.yield()
                return number
            }, receive: { ended.append($0) })
        #expect(ended.sorted() == Array(0..<200))
    }

    @Test("no more children live at once than the window is wide", arguments: [1, 3, 8])
    func widthIsKept(width: Int) async {
        let living = Mutex((now: 0, most: 0))
        var upcoming = (0..<100).makeIterator()
        await Window.slide(
            width: width, next: { upcoming.next() },
            work: { _ in
                living.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                await Task.yield()
                living.withLock { $0.now -= 1 }
            }, receive: { _ in })
        #expect(living.withLock { $0.most } <= width)
    }

    @Test("when the intake ends early, the children in flight are still received")
    func earlyEndIsOrderly() async {
        var given = 0
        var received = 0
        await Window.slide(
            width: 4,
            next: { () -> Int? in
                guard received < 10 else { return nil }
                given += 1
                return given
            }, work: { (number: Int) in number }, receive: { _ in received += 1 })
        #expect(received == given)
        #expect(received >= 10)
    }
}
