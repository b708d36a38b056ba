import System
import Testing

@Suite("A semaphore")
struct SemaphoreTests {
    @Test("a timed wait takes a pending signal and returns false without one")
    func limit() {
        let bell = Semaphore()
        bell.signal()
        #expect(bell.wait(milliseconds: 60_000))
        #expect(!bell.wait(milliseconds: 0))
        #expect(!bell.wait(milliseconds: 1))
    }
}
