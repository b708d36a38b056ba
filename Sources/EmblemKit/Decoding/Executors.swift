import Engine
import Gauge
import Synchronization
import System

/// The threads of the library. The thread pool of Swift belongs to the program, and the library
/// uses it only briefly.
enum Executors {
    static let cores = MachineFacts.availableCores

    /// The executor for the work of the library itself. No code of the program runs on it, so that
    /// its threads are never blocked.
    static let work = executor()

    /// The executor for batches and for the user's loaders.
    static let batches = executor()

    /// The executor for decoding in this program, which may never finish.
    static let decoding = executor()

    /// The executor for encoding, which holds a thread until the file is finished.
    static let encoding = executor()

    /// Creates an executor with as many threads as there are workers. A job may take as long as
    /// decoding an image, so each waiting job wakes another thread at once (`patience: 0`).
    private static func executor() -> RunExecutor? {
        let executor = RunExecutor(threads: Workers.count, patience: 0)
        // If no thread can be started, the thread pool of Swift is used.
        return executor.isEmpty ? nil : executor
    }
}

/// Synchronous waiting for the library's asynchronous work.
enum Blocking {
    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let end = Semaphore()
    }

    /// The longest time until a cancellation is noticed, in milliseconds.
    private static let cancellationCheckMilliseconds = 10

    /// Blocks the calling thread until `work` is done on the library's threads. It needs no thread
    /// of the program, so callers may block all of them.
    static func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(EmblemError) -> Value {
        let box = Box<Value>()
        let work = Decoding.inheriting(work)
        let task = Task.detached(executorPreference: Executors.work) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            box.result.withLock { $0 = result }
            box.end.signal()
        }
        while !box.end.wait(milliseconds: cancellationCheckMilliseconds) {
            guard Task.isCancelled else { continue }
            task.cancel()
            box.end.wait()
            break
        }
        switch box.result.withLock({ $0 }) {
        case .success(let value): return value
        case .failure(let error as EmblemError): throw error
        case .failure, nil:
            throw .failedToDecode(
                "The work was stopped, because its task was cancelled.", .canceled)
        }
    }
}
