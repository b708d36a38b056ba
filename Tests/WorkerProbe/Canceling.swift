import Artwork
import Glibc
import Render
import Theming
import Worker

/// A process that cancels many renderings and then counts its resources: `WorkerProbe canceling`
/// ends with 0 if no resource has leaked. A separate process is needed, since descriptors belong to
/// a whole process.
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
            // Tolerates a worker that did not exist at the first count and one that is starting,
            // with a few descriptors each. A leak would add one for each of 210 renderings.
            await expect("descriptors") { entries(of: "/proc/self/fd") <= held.descriptors + 12 }
            await expect("threads") { entries(of: "/proc/self/task") <= held.threads + 2 }
            await expect("processes") { pool.processes.count <= 2 }
        }
        await expect("descriptors of the pool") { entries(of: "/proc/self/fd") <= untouched + 2 }
        exit(0)
    }

    /// Renders three images at a time and cancels each round after a different delay.
    private static func crowd(_ pool: WorkerPool, rounds: Int) async {
        for round in 0..<rounds {
            let deed = round.isMultiple(of: 5) ? "deed:hang" : "<svg xmlns='x'/>"
            let order = RenderOrder(.picture, of: Array(deed.utf8), recipe: recipe)
            let tasks = (0..<3).map { _ in
                Task { _ = await pool.render(order) }
            }
            // Different delays are the purpose of the test.
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

    /// Waits for a condition, since an ended process disappears after a moment.
    private static func expect(_ what: String, _ isTrue: () -> Bool) async {
        for _ in 0..<2_000 {
            if isTrue() { return }
            usleep(5_000)
        }
        print("left over: \(what)")
        exit(1)
    }
}
