import Glibc
import Synchronization
import System
import Testing

@Suite("Threads and clocks")
struct ThreadTests {
    @Test("a signal wakes one thread, before or after the thread waits")
    func signals() throws {
        let (open, closed) = (Semaphore(), Semaphore())
        let passed = Mutex(0)
        open.signal()
        let threads = try (0..<3).map { _ in
            try #require(
                Thread("test", stackBytes: 128 << 10) {
                    open.wait()
                    passed.withLock { $0 += 1 }
                    closed.signal()
                })
        }
        closed.wait()
        #expect(passed.withLock { $0 } == 1)
        for _ in 0..<2 { open.signal() }
        for thread in threads { thread.join() }
        #expect(passed.withLock { $0 } == 3)
    }

    @Test("a thread blocks all signals")
    func signalMask() throws {
        let isBlocked = Mutex(false)
        let thread = try #require(
            Thread("test") {
                var mask = sigset_t()
                unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
                let blocks = unsafe sigismember(&mask, SIGTERM) == 1
                isBlocked.withLock { $0 = blocks }
            })
        thread.join()
        #expect(isBlocked.withLock { $0 })
    }

    @Test("the clock of a process that has ended is nil")
    func processClock() {
        #expect(MonotonicClock.ofProcess(getpid()) != nil)
        var child = pid_t()
        let path = unsafe strdup("/bin/true")
        defer { unsafe free(path) }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe [path, nil]
        #expect(unsafe posix_spawn(&child, "/bin/true", nil, nil, &words, nil) == 0)
        #expect(waitpid(child, nil, 0) == child)
        #expect(MonotonicClock.ofProcess(child) == nil)
    }

    @Test("a monotonic clock never runs backwards")
    func monotonic() {
        let first = MonotonicClock.now
        #expect(MonotonicClock.now >= first && first > 0)
        #expect(MonotonicClock.elapsed(since: .max) == 0)
    }

    @Test("a seeded random generator gives the numbers that its authors published")
    func seeded() {
        // The first values of SplitMix64 for the seed 1234567, as published with its C source.
        var random = SeededRandom(seed: 1_234_567)
        let numbers = (0..<3).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
