import Support
import System
import Testing

/// A trait that runs each test of a suite by `apart`, because it mainly waits for the tool.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await apart(function)
    }
}

extension Trait where Self == OwnThreads {
    static var ownThreads: Self { Self() }
}

@Suite("Command tests on threads of their suites", .ownThreads)
struct OwnThreadTests {
    @Test("a command test blocks none of Swift's own threads", arguments: 0..<64)
    func tasksRun(turn: Int) {
        let bell = Semaphore()
        Task { bell.signal() }
        // Far longer than any task waits for a thread.
        #expect(bell.wait(milliseconds: 600_000))
    }
}
