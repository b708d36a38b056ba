import Artwork
import Glibc
import Render
import Theming
import Worker

/// A process that keeps workers until it is killed: `WorkerProbe parent FILE` writes their process
/// ids to a file.
enum Parent {
    static func main() async -> Never {
        let pool = WorkerPool(
            settings: WorkerSettings(count: 2, memoryBytes: 64 << 20),
            renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
        while await pool.confinement() != nil, pool.processes.count < 2 { usleep(1_000) }
        // One worker stays idle, the other hangs.
        let hang = RenderOrder(
            .picture, of: Array("deed:hang".utf8),
            recipe: Recipe(variants: [Variant(layout: .small, scale: 1, scheme: .light)]))
        Task { await pool.render(hang) }
        // Wait until a worker has the order; the pool does not report that.
        usleep(100_000)
        let text = pool.processes.map { "\($0)" }.joined(separator: " ")
        NumberFile.write(text, to: CommandLine.arguments.dropFirst(2).first ?? "numbers")
        while true { pause() }
    }
}
