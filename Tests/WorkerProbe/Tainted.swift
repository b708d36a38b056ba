import Artwork
import Foundation
import Glibc
import Render
import Theming
import Worker

/// A process that forks workers at its start and loses one of them to an image: `WorkerProbe
/// tainted` prints how many of the other workers are left, and whether the next image is rendered.
enum Tainted {
    static func main() async -> Never {
        Prefork.prepare(count: 3)
        let divided = Prefork.processes
        let pool = WorkerPool(
            settings: WorkerSettings(count: 1, memoryBytes: 64 << 20),
            renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
        let order = RenderOrder(
            .picture, of: picture,
            recipe: Recipe(variants: [Variant(layout: .small, scale: 1, scheme: .light)]))
        // The drawing is slow enough that its worker can be killed meanwhile.
        var long = order
        long.recipe.variants = EmblemLayout.allCases.flatMap { layout in
            (1...6).map { Variant(layout: layout, scale: Double($0), scheme: .light) }
        }
        long.processorNanoseconds = 60_000_000_000
        _ = await pool.render(order)
        let worker = pool.processes[0]
        let before = runNanoseconds(of: worker)
        async let fallen = pool.render(long)
        for _ in 0..<50_000 where runNanoseconds(of: worker) < before + 1_000_000 { usleep(100) }
        kill(worker, SIGSEGV)
        _ = await fallen
        let next = await pool.render(order)
        print(divided.count { kill($0, 0) == 0 }, "left of", divided.count)
        if case .success(let rendering) = next.result { print(rendering.images.count, "drawn") }
        pool.close()
        exit(0)
    }

    /// Returns how long a process has run.
    private static func runNanoseconds(of process: pid_t) -> UInt64 {
        let line = try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)
        return line?.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
    }

    /// A bitmap without pixel data: the bytes after its header count as a pixel.
    private static let picture: [UInt8] = {
        let header: [UInt8] = [
            0x42, 0x4D, 0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0,
            1, 0, 32, 0,
        ]
        return header + [UInt8](repeating: 0, count: 24 + 64 * 64 * 4)
    }()
}
