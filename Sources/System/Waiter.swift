import Synchronization

/// One task's wait for one value.
///
/// Whoever owns the wait resumes it, from any thread, before or after the task has begun to wait;
/// of several values the first one counts. It is put where it will be resumed *before* its value is
/// asked for: a task that is cancelled already leaves again at once.
@usableFromInline
package final class Waiter<Value: Sendable>: Sendable {
    @usableFromInline enum State {
        case open
        case waiting(CheckedContinuation<Value, Never>)
        case resumed(Value)
    }

    @usableFromInline let state = Mutex(State.open)

    @inlinable package init() {}

    /// The value, once there is one.
    ///
    /// - Parameter onCancel: is called when the task is cancelled while it waits; it takes the
    ///   waiter out of wherever it stands, and resumes it if it still stood there.
    @inlinable package func value(onCancel: @escaping @Sendable () -> Void) async -> Value {
        if case .resumed(let value) = state.withLock({ $0 }) { return value }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Value? = state.withLock { state in
                    if case .resumed(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            onCancel()
        }
    }

    @inlinable package func resume(returning value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .resumed: return nil
            case .open:
                state = .resumed(value)
                return nil
            case .waiting(let continuation):
                state = .resumed(value)
                return continuation
            }
        }
        continuation?.resume(returning: value)
    }
}
