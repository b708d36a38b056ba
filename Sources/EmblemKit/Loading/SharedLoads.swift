import FoundationEssentials
import Synchronization
import System
import Transport

/// Concurrent loads of equal URLs: one load runs, and all callers get its result.
///
/// No caller owns the load, so its task is unstructured. The last caller to leave cancels it.
final class SharedLoads<Value: Sendable>: Sendable {
    private typealias Load = Waiter<Result<Value, any Error>>

    private struct State {
        var loads = Coalescer<URL, Load>()
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Returns the value at `url`, from `load` or from an equal load in progress. Throws
    /// `CancellationError` at once if the task is cancelled.
    func value(
        for url: URL, load: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Load()
        let id = join(url, waiter, load)
        return try await waiter.value { self.leave(id) }.get()
    }

    private func join(
        _ url: URL, _ waiter: Load, _ load: @escaping @Sendable () async throws -> Value
    ) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            let id = state.nextID
            if state.loads.join(url, id: id, waiter) {
                state.tasks[id] = Task(executorPreference: Executors.batches) {
                    let result: Result<Value, any Error>
                    do { result = .success(try await load()) } catch { result = .failure(error) }
                    self.finish(id, result)
                }
            }
            return id
        }
    }

    private func finish(_ load: UInt64, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            state.tasks[load] = nil
            return state.loads.finish(load)
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    private func leave(_ id: UInt64) {
        let (waiter, task) = state.withLock { state -> (Load?, Task<Void, Never>?) in
            switch state.loads.leave(id) {
            case .unknown: return (nil, nil)
            case .others(let waiter): return (waiter, nil)
            case .last(let waiter, let load):
                return (waiter, state.tasks.removeValue(forKey: load))
            }
        }
        task?.cancel()
        waiter?.resume(returning: .failure(CancellationError()))
    }
}
