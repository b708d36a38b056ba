import Digest
import Render
import Synchronization

/// Placeholders that were drawn before, so that a run with many failures draws each kind once.
final class PlaceholderShelf: Sendable {
    /// What tells two placeholders apart. A picture is known by its digest, so that the shelf
    /// holds no bytes of sources.
    private struct Key: Hashable {
        let name: String
        let picture: Digest256?
        let recipe: Recipe

        init(_ standIn: StandIn, _ recipe: Recipe) {
            name = standIn.name
            if case .picture(_, let bytes) = standIn {
                picture = SHA256.hash(bytes.span)
            } else {
                picture = nil
            }
            var recipe = recipe
            recipe.placeholder = .none
            self.recipe = recipe
        }
    }

    /// Initials differ from item to item; past this number nothing more is kept.
    private static let limit = 64
    private let kept = Mutex<[Key: Rendering]>([:])

    func rendering(of standIn: StandIn, _ recipe: Recipe) -> Rendering? {
        let key = Key(standIn, recipe)
        return kept.withLock { $0[key] }
    }

    func keep(_ rendering: Rendering, of standIn: StandIn, _ recipe: Recipe) {
        let key = Key(standIn, recipe)
        kept.withLock { kept in
            guard kept.count < Self.limit else { return }
            kept[key] = rendering
        }
    }
}
