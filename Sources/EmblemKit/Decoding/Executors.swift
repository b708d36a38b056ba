import Engine
import Gauge
import Synchronization
import System

/// The threads of the library. Swift's own pool belongs to the program, and the library uses its
/// threads only for moments.
enum Executors {
    static let cores = MachineFacts.availableCores

    /// The executor for the library's own work. No user code runs here, so nothing here ever waits
    /// for a thread.
    static let work = executor()

    /// The executor for batches and for the user's loaders.
    static let batches = executor()

    /// The executor for decoding in this program, which may never finish.
    static let decoding = executor()

    /// The executor for encoding, which holds a thread until the file is finished.
    static let encoding = executor()

    /// Creates an executor with one thread per core. One task may decode or
    /// encode a whole image.
    private static func executor() -> RunExecutor? {
        let crew = RunExecutor(threads: Workers.count, patience: 0)
        // Without a thread, use Swift's own pool.
        return crew.isEmpty ? nil : crew
    }
}

/// Synchronous waiting for the library's asynchronous work.
enum Blocking {
    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let bell = Semaphore()
    }

    /// The longest time until a cancellation is noticed, in milliseconds.
    private static let lookMilliseconds = 10

    /// Blocks the calling thread until `work` is done on the library's threads. Any number of
    /// callers may block any number of threads.
    static func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(EmblemError) -> Value {
        let box = Box<Value>()
        let work = Decoding.inheriting(work)
        let task = Task.detached(executorPreference: Executors.work) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            box.result.withLock { $0 = result }
            box.bell.signal()
        }
        while !box.bell.wait(milliseconds: lookMilliseconds) {
            guard Task.isCancelled else { continue }
            task.cancel()
            box.bell.wait()
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
