import System

/// Work that takes long and waits for other processes, on a thread of its own: the tasks of other
/// tests share few threads, and two that wait would hold up all of them.
package func apart<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    let waiter = Waiter<Result<Value, any Error>>()
    let isStarted = Thread.start("test-apart") {
        waiter.resume(returning: Result { try work() })
    }
    guard isStarted else { return try work() }
    return try await waiter.value {}.get()
}
