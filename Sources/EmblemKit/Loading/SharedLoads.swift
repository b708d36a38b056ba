import FoundationEssentials
import Synchronization
import System

/// Concurrent loads of equal URLs: one load runs, and all callers get its result.
///
/// No caller owns the load, so its task is unstructured. The last caller to leave cancels it.
final class SharedLoads<Value: Sendable>: Sendable {
    private typealias Caller = Waiter<Result<Value, any Error>>

    private struct Load {
        let id: Int
        let task: Task<Void, Never>
        var callers: [Int: Caller] = [:]
    }

    private let state = Mutex((loads: [URL: Load](), lastID: 0))

    /// Returns the value at `url`, from `load` or from an equal load in progress. Throws
    /// `CancellationError` at once if the task is cancelled.
    func value(
        for url: URL, load: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let caller = Caller()
        let id = state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            var known = state.loads[url] ?? Load(id: id, task: task(id, url, load))
            known.callers[id] = caller
            state.loads[url] = known
            return id
        }
        return try await caller.value { self.leave(url, id, caller) }.get()
    }

    private func task(
        _ id: Int, _ url: URL, _ load: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        Task(executorPreference: Executors.batches) {
            let result: Result<Value, any Error>
            do { result = .success(try await load()) } catch { result = .failure(error) }
            let ended = self.state.withLock { state in
                state.loads[url]?.id == id ? state.loads.removeValue(forKey: url) : nil
            }
            for caller in ended?.callers.values ?? [:].values { caller.resume(returning: result) }
        }
    }

    private func leave(_ url: URL, _ id: Int, _ caller: Caller) {
        let abandoned = state.withLock { state -> Load? in
            guard state.loads[url]?.callers.removeValue(forKey: id) != nil,
                state.loads[url]?.callers.isEmpty == true
            else { return nil }
            return state.loads.removeValue(forKey: url)
        }
        abandoned?.task.cancel()
        caller.resume(returning: .failure(CancellationError()))
    }
}
