import Engine
import FoundationEssentials
import Synchronization

/// A place in the window, or in the crowd behind it; given back when it is let go.
final class Permit: Sendable {
    private let grant: Grant

    init(_ budget: Budget) async throws(CancellationError) {
        grant = try await budget.grant(of: 1)
    }
}

/// A source with its place and its permit.
struct Follower: Sendable {
    let index: Int
    let source: ImageSource
    let permit: Permit
}

/// The URLs of one run that are under way, and the sources that wait for them.
final class SourcesUnderWay: Sendable {
    private let followers = Mutex<[URL: [Follower]]>([:])

    func contains(_ url: URL) -> Bool {
        followers.withLock { $0[url] != nil }
    }

    func begin(_ url: URL) {
        followers.withLock { $0[url] = [] }
    }

    /// False when nobody is under way with `url` any more.
    func follow(_ url: URL, _ follower: Follower) -> Bool {
        followers.withLock { followers in
            followers[url]?.append(follower) != nil
        }
    }

    /// Those who waited, in the order they came.
    func end(_ url: URL?) -> [Follower] {
        guard let url else { return [] }
        return followers.withLock { $0.removeValue(forKey: url) ?? [] }
    }
}
