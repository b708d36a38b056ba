import Pipeline

/// The memory that all decoding of the library shares.
enum DecodingMemory {
    /// A picture that takes more than all of it gets all of it, and is decoded alone.
    private static let budget = Budget(total: 256 << 20)

    /// Runs `body` once `bytes` of memory are free.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before that, and what `body` does.
    static func borrow<Result>(_ bytes: Int, _ body: () throws -> Result) async throws -> Result {
        let grant = try await budget.grant(of: bytes)
        try Task.checkCancellation()
        return try withExtendedLifetime(grant) { try body() }
    }
}
