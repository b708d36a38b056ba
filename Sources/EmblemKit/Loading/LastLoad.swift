import Synchronization

/// What the last walk along the phases of an emblem ended with, for its copies too.
final class LastLoad: Sendable {
    private let state = Mutex<Result<Image, any Error>?>(nil)

    var result: Result<Image, any Error>? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
