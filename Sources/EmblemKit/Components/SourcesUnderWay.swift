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

/// An item with its place and its permit.
struct Follower: Sendable {
    let index: Int
    let item: EmblemItem
    let permit: Permit
}

/// A URL and what is made of it: items that share both share the work.
struct SharedWork: Hashable, Sendable {
    let url: URL
    let own: OwnLook
}

/// The work of one run that is under way, and the items that wait for it.
final class SourcesUnderWay: Sendable {
    private let followers = Mutex<[SharedWork: [Follower]]>([:])

    func contains(_ work: SharedWork) -> Bool {
        followers.withLock { $0[work] != nil }
    }

    func begin(_ work: SharedWork) {
        followers.withLock { $0[work] = [] }
    }

    /// False when nobody is under way with `work` any more.
    func follow(_ work: SharedWork, _ follower: Follower) -> Bool {
        followers.withLock { followers in
            followers[work]?.append(follower) != nil
        }
    }

    /// Those who waited, in the order they came.
    func end(_ work: SharedWork?) -> [Follower] {
        guard let work else { return [] }
        return followers.withLock { $0.removeValue(forKey: work) ?? [] }
    }
}
