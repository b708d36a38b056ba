import Render
import Synchronization

/// Placeholders that were drawn before, so that a run with many failures draws each kind once.
final class PlaceholderShelf: Sendable {
    private struct Key: Hashable {
        let standIn: StandIn
        let recipe: Recipe
    }

    /// Initials differ from item to item; past this number nothing more is kept.
    private static let limit = 64
    private let kept = Mutex<[Key: Rendering]>([:])

    func rendering(of standIn: StandIn, _ recipe: Recipe) -> Rendering? {
        kept.withLock { $0[Key(standIn: standIn, recipe: recipe)] }
    }

    func keep(_ rendering: Rendering, of standIn: StandIn, _ recipe: Recipe) {
        kept.withLock { kept in
            guard kept.count < Self.limit else { return }
            kept[Key(standIn: standIn, recipe: recipe)] = rendering
        }
    }
}
