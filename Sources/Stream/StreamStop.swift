import Synchronization

/// The stop of a stream, which may be asked for before there is anything to stop.
final class StreamStop: Sendable {
    private struct State {
        var isAskedFor = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func ask() {
        let action = state.withLock { state in
            state.isAskedFor = true
            return state.action
        }
        action?()
    }

    /// Calls `action` when the stop is asked for, at once where it was already.
    func onAsk(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.action = action
            return state.isAskedFor
        }
        if isLate { action() }
    }
}
