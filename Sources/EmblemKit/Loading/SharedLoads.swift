import FoundationEssentials
import Synchronization
import Transport

/// Equal loads that are under way together: one is made, all get its answer.
///
/// None of those who wait owns the load, so its task is nobody's child; the last one who goes
/// before it has ended cancels it.
final class SharedLoads: Sendable {
    private typealias Waiter = CheckedContinuation<Image, any Error>

    private struct State {
        var desk = FlightDesk<URL, Waiter>()
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var nextID: UInt64 = 0
        /// Waiters whose task was cancelled before they stood in line.
        var canceledEarly: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// The picture at `url`, from `load` or from an equal load under way.
    ///
    /// - Throws: what `load` throws; `CancellationError` at once when the task is cancelled.
    func image(
        for url: URL, load: @escaping @Sendable () async throws -> Image
    ) async throws -> Image {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        defer { state.withLock { _ = $0.canceledEarly.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(url, id, $0, load) }
        } onCancel: {
            leave(id)
        }
    }

    private func join(
        _ url: URL, _ id: UInt64, _ waiter: Waiter,
        _ load: @escaping @Sendable () async throws -> Image
    ) {
        let isCanceled = state.withLock { state in
            guard !state.canceledEarly.contains(id) else { return true }
            if state.desk.join(url, id: id, waiter) {
                state.tasks[id] = Task {
                    let result: Result<Image, any Error>
                    do { result = .success(try await load()) } catch { result = .failure(error) }
                    land(id, result)
                }
            }
            return false
        }
        if isCanceled { waiter.resume(throwing: CancellationError()) }
    }

    private func land(_ flight: UInt64, _ result: Result<Image, any Error>) {
        let waiters = state.withLock { state in
            state.tasks[flight] = nil
            return state.desk.land(flight)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func leave(_ id: UInt64) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            switch state.desk.leave(id) {
            case .unknown:
                state.canceledEarly.insert(id)
                return (nil, nil)
            case .others(let waiter): return (waiter, nil)
            case .last(let waiter, let flight):
                return (waiter, state.tasks.removeValue(forKey: flight))
            }
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
