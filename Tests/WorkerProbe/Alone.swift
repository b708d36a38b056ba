import Artwork
import Glibc
import Render
import Theming
import Worker

/// A process with a private worker for one `Deed`, for tests with a refusing kernel: `WorkerProbe
/// deed NAME` prints the confinement and the result.
enum Alone {
    static func main() async -> Never {
        let pool = WorkerPool(
            settings: WorkerSettings(count: 1, memoryBytes: 64 << 20),
            renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
        let deed = "deed:" + (RawArguments.all.dropFirst(2).first ?? "")
        let order = RenderOrder(
            .picture, of: Array(deed.utf8),
            recipe: Recipe(variants: [Variant(layout: .small, scale: 1, scheme: .light)]))
        let answer = await pool.render(order)
        if case .failure(let error) = answer.result { print("\(error)") }
        print(pool.knownConfinement.map { "\($0)" } ?? "nothing")
        pool.close()
        exit(0)
    }
}
