import Support
import Testing

/// A trait that runs each test of a suite on `stepThreads`, because it has a time limit and takes
/// many short steps.
struct OnStepThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(stepThreads, operation: function)
    }
}

extension Trait where Self == OnStepThreads {
    static var onStepThreads: Self { Self() }
}
