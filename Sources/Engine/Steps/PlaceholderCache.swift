import Digest
import Render
import Synchronization
import System

/// Placeholders that were drawn before, so that a run with many failures draws each kind once.
final class PlaceholderCache: Sendable {
    /// What tells two placeholders apart. A picture is known by its digest, so that the cache
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

    /// Initials differ from item to item, so that there is a bound.
    private let renderings = BoundedCache<Key, Rendering>(countLimit: 64)
    /// What the run's own stand-ins gave, by their places; nil of one that cannot be had.
    let given = Mutex<[Int: StandIn?]>([:])
    /// One asks for them, the others wait for what comes of it.
    let turn = Budget(total: 1)

    func rendering(of standIn: StandIn, _ recipe: Recipe) -> Rendering? {
        renderings.value(for: Key(standIn, recipe))
    }

    func keep(_ rendering: Rendering, of standIn: StandIn, _ recipe: Recipe) {
        renderings.keep(rendering, for: Key(standIn, recipe))
    }
}
