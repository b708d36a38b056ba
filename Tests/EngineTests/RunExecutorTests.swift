import Engine
import Synchronization
import System
import Testing
import Worker

/// Tests the executor's threads and the thread that helps them.
@Suite struct RunExecutorTests {
    /// Runs many tasks that yield to each other repeatedly; returns the total number of yields.
    private static func countYields(on crew: RunExecutor) async -> Int {
        await withTaskExecutorPreference(crew) {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        for _ in 0..<50 { await Task.yield() }
                        return 50
                    }
                }
                return await group.reduce(0, +)
            }
        }
    }

    @Test("a run executor does all work, with one thread or several", arguments: [1, 2, 5])
    func threads(count: Int) async {
        let crew = RunExecutor(threads: count)
        #expect(await Self.countYields(on: crew) == 10_000)
        crew.close()
    }

    @Test(
        "a run executor leaves no work behind when a helper thread comes and goes",
        .timeLimit(.minutes(5)))
    func helper() async throws {
        let crew = RunExecutor(threads: 2)
        let isOver = Mutex(false)
        let helper = try #require(
            Thread("test") {
                while !isOver.withLock({ $0 }) {
                    crew.announceHelper()
                    crew.runHelper()
                }
            })
        #expect(await Self.countYields(on: crew) == 10_000)
        isOver.withLock { $0 = true }
        helper.join()
        crew.close()
    }
}
