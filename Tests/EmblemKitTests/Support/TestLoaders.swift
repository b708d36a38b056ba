import EmblemKit
import FoundationEssentials
import Synchronization

/// A loader that calls a closure of the test and counts its requests.
final class TestLoader: AsyncEmblemImageLoader {
    private let counts = Mutex<[String: Int]>([:])
    private let answer: @Sendable (URL) async throws -> Image

    init(_ answer: @escaping @Sendable (URL) async throws -> Image) {
        self.answer = answer
    }

    /// Creates a loader that always returns the same picture.
    convenience init(_ image: Image) {
        self.init { _ in image }
    }

    func loadImage(from url: URL) async throws -> Image {
        counts.withLock { $0[url.absoluteString, default: 0] += 1 }
        return try await answer(url)
    }

    /// Returns the number of requests, in total or for one URL.
    func count(_ url: URL? = nil) -> Int {
        counts.withLock { counts in
            url.map { counts[$0.absoluteString] ?? 0 } ?? counts.values.reduce(0, +)
        }
    }
}

/// A gate at which tasks wait until it is opened. A cancelled task leaves at once.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var canceled: Set<Int> = []
        var arrivals = 0
    }

    private let state = Mutex(State())

    /// The number of tasks that have reached the gate.
    var arrivals: Int { state.withLock { $0.arrivals } }

    func pass() async throws {
        let id = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    if state.canceled.contains(id) { return .failure(CancellationError()) }
                    if state.isOpen { return .success(()) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let left = state.withLock { state in
                state.canceled.insert(id)
                return state.waiting.removeValue(forKey: id)
            }
            left?.resume(throwing: CancellationError())
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Yields until `count` tasks have reached the gate.
    func wait(for count: Int) async {
        while arrivals < count { await Task.yield() }
    }
}

/// An error that a custom loader throws.
struct OwnError: Error, Equatable {
    let word: String
}
