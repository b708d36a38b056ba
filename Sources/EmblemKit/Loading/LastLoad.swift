import Synchronization

/// The result of the last iteration over the phases of an emblem, shared with its copies.
final class LastLoad: Sendable {
    private let state = Mutex<Result<Image, any Error>?>(nil)

    var result: Result<Image, any Error>? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
