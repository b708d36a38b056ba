import EmblemKit
import Foundation

/// Cancels loads at many moments, and prints the resources of the process before and after.
enum Cancelling {
    static func drill(_ logos: [URL], _ settings: NetworkImageLoader.Settings) async throws {
        try await round(logos, settings, turns: 0..<4)
        print("before:", try await held())
        try await round(logos, settings, turns: 0..<200)
        print("after:", try await held())
    }

    private static func round(
        _ logos: [URL], _ settings: NetworkImageLoader.Settings, turns: Range<Int>
    ) async throws {
        let loader = CachingImageLoader(
            NetworkImageLoader(settings), policy: .reloadIgnoringCache)
        var batch = EmblemBatch(urls: logos)
        batch.loader = loader
        batch.concurrency = 8
        var emblem = AsyncEmblem(url: logos.first)
        emblem.loader = loader
        for turn in turns {
            await cancel(after: turn) { [batch] in for await _ in batch {} }
            await cancel(after: turn) { [batch] in
                for await outcome in batch where outcome.index >= turn % 5 { break }
            }
            await cancel(after: turn) { [emblem] in for await _ in emblem.phases() {} }
            await cancel(after: turn) { [emblem] in _ = try? await emblem.render() }
        }
        // The loader still works.
        _ = try await loader.loadImage(from: logos[0])
    }

    private static func cancel(
        after turns: Int, _ work: @escaping @Sendable () async -> Void
    ) async {
        let task = Task { await work() }
        if turns.isMultiple(of: 2) {
            for _ in 0..<turns { await Task.yield() }
        } else {
            // The moment of cancellation is under test.
            try? await Task.sleep(for: .microseconds(turns * 20))
        }
        task.cancel()
        await task.value
    }

    /// Returns the number of descriptors and threads once they are stable, because released
    /// resources go away asynchronously.
    private static func held() async throws -> [Int] {
        var last: [Int] = []
        var repeats = 0
        while repeats < 20 {
            let now = try ["/proc/self/fd", "/proc/self/task"].map {
                try FileManager.default.contentsOfDirectory(atPath: $0).count
            }
            repeats = now == last ? repeats + 1 : 0
            last = now
            try await Task.sleep(for: .milliseconds(10))
        }
        return last
    }
}
