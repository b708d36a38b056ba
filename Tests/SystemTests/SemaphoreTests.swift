import System
import Testing

@Suite("A counted wake-up call")
struct SemaphoreTests {
    @Test("a wait with a limit takes a signal that is there, and ends without one")
    func limit() {
        let bell = Semaphore()
        bell.signal()
        #expect(bell.wait(milliseconds: 60_000))
        #expect(!bell.wait(milliseconds: 0))
        #expect(!bell.wait(milliseconds: 1))
    }
}
