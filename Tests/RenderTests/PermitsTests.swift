import Artwork
import Render
import Support
import Synchronization
import System
import Testing
import Theming

@Suite("Permits for renderers and memory")
struct PermitsTests {
    /// The renderers and bytes that tasks hold.
    private final class Use: Sendable {
        private let held = Mutex((renderers: 0, bytes: 0))

        /// Returns whether the sums are within three renderers and 1,000 bytes.
        func add(_ renderers: Int, _ bytes: Int) -> Bool {
            held.withLock { held in
                held.renderers += renderers
                held.bytes += bytes
                return held.renderers <= 3 && held.bytes <= 1_000
            }
        }
    }

    private static func wait(_ permits: Permits, for count: Int) async {
        while permits.waitingCount != count { await Task.yield() }
    }

    /// Takes a renderer and `bytes` and gives them back. Returns the bytes, or nil if they are not
    /// free.
    private static func now(_ permits: Permits, _ bytes: Int) -> Int? {
        guard let grant = permits.takeNow(bytes) else { return nil }
        return grant.bytes
    }

    private static func later(_ permits: Permits, _ bytes: Int) async -> Int? {
        try? await permits.take(bytes).bytes
    }

    @Test("permits let any number of small requests pass a large one that waits for memory")
    func passing() async throws {
        let permits = Permits(renderers: 2, bytes: 1_000)
        let first = try await permits.take(600)
        let large = Task { await Self.later(permits, 700) }
        await Self.wait(permits, for: 1)
        for _ in 0..<1_000 { #expect(Self.now(permits, 125) == 125) }
        #expect(Self.now(permits, 126) == nil)
        _ = consume first
        #expect(await large.value == 700)
    }

    @Test("permits let few requests pass one that needs over three quarters of the memory")
    func nearlyAll() async throws {
        let permits = Permits(renderers: 2, bytes: 1_000)
        let first = try await permits.take(600)
        let large = Task { await Self.later(permits, .max) }
        await Self.wait(permits, for: 1)
        var passes = 0
        while Self.now(permits, 125) != nil { passes += 1 }
        #expect(passes == 64)
        let small = Task { await Self.later(permits, 125) }
        await Self.wait(permits, for: 2)
        _ = consume first
        #expect(await large.value == 1_000)
        #expect(await small.value == 125)
    }

    @Test("permits grant a renderer and memory together, so that a waiting request holds neither")
    func together() async throws {
        let permits = Permits(renderers: 2, bytes: 1_000)
        let first = try await permits.take(600)
        let large = Task { await Self.later(permits, 700) }
        await Self.wait(permits, for: 1)
        let other = permits.takeNow(0)
        #expect(Self.now(permits, 0) == nil)
        _ = consume first
        #expect(await large.value == 700)
        _ = consume other
    }

    @Test("permits drop a request whose task is cancelled, and serve the next one")
    func cancellation() async throws {
        let permits = Permits(renderers: 2, bytes: 1_000)
        let first = try await permits.take(600)
        let large = Task { await Self.later(permits, 700) }
        await Self.wait(permits, for: 1)
        let next = Task { await Self.later(permits, 300) }
        await Self.wait(permits, for: 2)
        large.cancel()
        #expect(await large.value == nil)
        #expect(await next.value == 300)
        _ = consume first
        #expect(permits.waitingCount == 0)
    }

    @Test("permits are never exceeded, and every request is served", .timeLimit(.minutes(1)))
    func laws() async throws {
        var generator = SeededRandom(seed: TestSeed.value)
        let permits = Permits(renderers: 3, bytes: 1_000)
        let amounts = (0..<400).map { _ in Int.random(in: 0...1_100, using: &generator) }
        let use = Use()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for amount in amounts {
                group.addTask {
                    let grant = try await permits.take(amount)
                    let bytes = grant.bytes
                    #expect(use.add(1, bytes), "\(TestSeed.words)")
                    #expect(bytes == min(amount, 1_000), "\(TestSeed.words)")
                    await Task.yield()
                    _ = use.add(-1, -bytes)
                    _ = consume grant
                }
            }
            try await group.waitForAll()
        }
        #expect(permits.waitingCount == 0)
        #expect(Self.now(permits, 1_000) == 1_000)
    }

    @Test("permits refuse a request if its key already has the maximum number of waiting requests")
    func fullQueue() async throws {
        let permits = Permits(renderers: 1, bytes: 1_000)
        let first = try await permits.take(0)
        let waiting = Task { await Self.later(permits, 0) }
        await Self.wait(permits, for: 1)
        var terms = Permits.Terms()
        terms.queueLimit = 1
        await #expect(throws: Permits.Refusal.fullQueue) { _ = try await permits.take(0, terms) }
        terms.key = "other"
        let other = Task { [terms] in try await permits.take(0, terms).bytes }
        await Self.wait(permits, for: 2)
        _ = consume first
        #expect(await waiting.value == 0)
        #expect(try await other.value == 0)
    }

    @Test("a request leaves the queue after the longest wait that it allows")
    func late() async throws {
        let permits = Permits(renderers: 1, bytes: 1_000)
        let first = try await permits.take(0)
        var terms = Permits.Terms()
        terms.waitNanoseconds = 1
        await #expect(throws: Permits.Refusal.late) { _ = try await permits.take(0, terms) }
        #expect(permits.waitingCount == 0)
        _ = consume first
        #expect(Self.now(permits, 0) == 0)
    }
}
