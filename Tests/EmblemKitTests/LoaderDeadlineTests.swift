import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import Testing

/// A loader that ignores cancellation until a gate opens.
private struct DeafLoader: AsyncEmblemImageLoader {
    let gate: Gate
    let image: Image
    var isDeaf: @Sendable (URL) -> Bool = { _ in true }

    func loadImage(from url: URL) async throws -> Image {
        guard isDeaf(url) else { return image }
        // A task without a parent is not cancelled with the loader.
        return try await Task.detached { [gate, image] in
            try await gate.pass()
            return image
        }.value
    }
}

/// A loader that records its requests.
private final class RequestLoader: AsyncEmblemImageLoader {
    let requests = Mutex<[EmblemImageRequest]>([])
    private let image: Image

    init(_ image: Image) { self.image = image }

    func loadImage(_ request: EmblemImageRequest) async throws -> Image {
        requests.withLock { $0.append(request) }
        return image
    }

    func loadImage(from url: URL) async throws -> Image {
        try await loadImage(EmblemImageRequest(url: url))
    }
}

@Suite("The deadline and the requests of a custom loader")
struct LoaderDeadlineTests {
    @Test("a loader that never responds ends at the deadline of its emblem, also in phases")
    func deadline() async throws {
        let gate = Gate()
        defer { gate.open() }
        var emblem = AsyncEmblem(url: try testURL())
        emblem.loader = DeafLoader(gate: gate, image: try TestPictures.image())
        emblem.timeout = .milliseconds(20)
        let error = try #require(try await emblem.render().error as? EmblemError)
        #expect(error.errorClass == "timeout" && error.isRetryable)
        let last = await emblem.phases().reduce(nil as AsyncImagePhase?) { $1 }
        #expect((last?.error as? EmblemError)?.errorClass == "timeout")
        var avatar = Avatar(url: try testURL(), name: "Ada Lovelace")
        avatar.loader = emblem.loader
        avatar.timeout = .milliseconds(20)
        #expect(try await avatar.render().appearance == .initials("AL"))
    }

    @Test("a cancelled task abandons a loader that ignores cancellation")
    func deaf() async throws {
        let gate = Gate()
        defer { gate.open() }
        var emblem = AsyncEmblem(url: try testURL())
        emblem.loader = DeafLoader(gate: gate, image: try TestPictures.image())
        emblem.timeout = .seconds(Int64.max)
        let task = Task { [emblem] in try await emblem.render() }
        await gate.wait(for: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a batch shows a placeholder for a load that never ends, and ends itself")
    func batch() async throws {
        let gate = Gate()
        defer { gate.open() }
        let slow = try testURL("5")
        var batch = EmblemBatch(urls: try (0..<10).map { try testURL("\($0)") })
        batch.loader = DeafLoader(gate: gate, image: try TestPictures.image()) { $0 == slow }
        batch.timeout = .seconds(2)
        var failed: [Int] = []
        var count = 0
        for await outcome in batch {
            count += 1
            if outcome.status != .ok { failed.append(outcome.index) }
        }
        #expect(count == 10 && failed == [5])
    }

    @Test("a loader receives the height in pixels of the largest drawing and the id of the item")
    func requests() async throws {
        let loader = RequestLoader(try TestPictures.image())
        var emblem = AsyncEmblem(url: try testURL("one"), layout: .large)
        emblem.loader = loader
        _ = try await emblem.render(scale: 2)
        for await _ in emblem.phases() {}
        var batch = EmblemBatch([EmblemItem(url: try testURL("two"), id: "acme")])
        batch.layouts = [.small, .xLarge]
        batch.scales = [3, 1]
        batch.loader = loader
        for await _ in batch {}
        let expected = try [
            EmblemImageRequest(url: testURL("one"), pixels: 128),
            EmblemImageRequest(url: testURL("one")),
            EmblemImageRequest(url: testURL("two"), pixels: 240, id: "acme"),
        ]
        #expect(loader.requests.withLock { $0 } == expected)
    }

    @Test("a loader that only accepts URLs serves requests")
    func forwarding() async throws {
        let loader = TestLoader(try TestPictures.image())
        let request = EmblemImageRequest(url: try testURL(), pixels: 9, id: "x")
        #expect(try await loader.loadImage(request).width == 60)
    }
}
