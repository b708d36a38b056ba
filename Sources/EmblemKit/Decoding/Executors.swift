import Engine
import Gauge
import Synchronization
import System

/// The threads of the library: Swift's own pool is the program's, and nothing of ours holds a thread
/// of it for longer than a moment.
enum Executors {
    static let cores = MachineFacts.availableCores

    /// Where work of ours is done. Nothing of a user's runs here, so that nothing ever waits here for
    /// a thread.
    static let work = executor()

    /// Where batches run, and with them the loaders of users.
    static let batches = executor()

    /// Where pictures are decoded that are decoded in this program, some of which never end.
    static let decoding = executor()

    /// A thread for each core; a piece of work may be the decoding of a whole picture.
    private static func executor() -> RunExecutor? {
        let crew = RunExecutor(threads: Workers.count, patience: 0)
        // Without a thread there is Swift's own pool.
        return crew.isEmpty ? nil : crew
    }
}

/// Waiting for work of ours where a caller cannot be suspended.
enum Blocking {
    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let bell = Semaphore()
    }

    /// How long a cancellation may take to be seen.
    private static let lookMilliseconds = 10

    /// Holds the calling thread until `work` is done on threads of ours: any number of callers may
    /// hold any number of threads.
    static func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws(EmblemError) -> Value {
        let box = Box<Value>()
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
            throw .failedToDecode("The work was stopped, as its task was cancelled.")
        }
    }
}
