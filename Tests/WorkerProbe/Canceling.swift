import Artwork
import Glibc
import Render
import Theming
import Worker

/// A process that cancels many renderings and then counts what it holds: `WorkerProbe canceling`
/// ends with 0 when nothing is left over. Alone, since descriptors belong to a whole process.
enum Canceling {
    private static let recipe = Recipe(variants: [
        Variant(layout: .small, scale: 1, scheme: .light)
    ])

    static func main() async -> Never {
        let untouched = entries(of: "/proc/self/fd")
        var held: (descriptors: Int, threads: Int) = (0, 0)
        do {
            let pool = WorkerPool(
                settings: WorkerSettings(count: 2, memoryBytes: 64 << 20),
                renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
            await crowd(pool, rounds: 3)
            held = (entries(of: "/proc/self/fd"), entries(of: "/proc/self/task"))
            await crowd(pool, rounds: 70)
            // The second process may not have been there when they were counted, and a third may be
            // on its way: a few descriptors each. A leak would be one for each of 210 renderings.
            await expect("descriptors") { entries(of: "/proc/self/fd") <= held.descriptors + 12 }
            await expect("threads") { entries(of: "/proc/self/task") <= held.threads + 2 }
            await expect("processes") { pool.processes.count <= 2 }
        }
        await expect("descriptors of the pool") { entries(of: "/proc/self/fd") <= untouched + 2 }
        exit(0)
    }

    /// Three renderings at a time, each cancelled at another moment.
    private static func crowd(_ pool: WorkerPool, rounds: Int) async {
        for round in 0..<rounds {
            let deed = round.isMultiple(of: 5) ? "deed:hang" : "<svg xmlns='x'/>"
            let order = RenderOrder(.picture, of: Array(deed.utf8), recipe: recipe)
            let tasks = (0..<3).map { _ in
                Task { _ = await pool.render(order) }
            }
            // The moment is what is tried.
            if !round.isMultiple(of: 3) { usleep(UInt32(round % 7) * 300) }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
    }

    private static func entries(of path: String) -> Int {
        guard let folder = unsafe opendir(path) else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        return count
    }

    /// What has ended takes a moment to be gone.
    private static func expect(_ what: String, _ isTrue: () -> Bool) async {
        for _ in 0..<2_000 {
            if isTrue() { return }
            usleep(5_000)
        }
        print("left over: \(what)")
        exit(1)
    }
}
