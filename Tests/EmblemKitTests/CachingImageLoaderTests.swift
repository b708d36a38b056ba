import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("A caching image loader")
struct CachingImageLoaderTests {
    @Test("a caching loader reads the cache first and then loads")
    func cacheFirst() async throws {
        let base = TestLoader(try TestPictures.image())
        let loader = CachingImageLoader(base)
        for _ in 0..<3 { _ = try await loader.loadImage(from: testURL("a")) }
        _ = try await loader.loadImage(from: testURL("b"))
        #expect(try base.count(testURL("a")) == 1 && base.count() == 2)
        loader.removeAll()
        _ = try await loader.loadImage(from: testURL("a"))
        #expect(base.count() == 3)
    }

    @Test("a caching loader follows its policy on a shared cache")
    func policies() async throws {
        let base = TestLoader(try TestPictures.image())
        let first = CachingImageLoader(base)
        let never = first.following(.returnCacheDontLoad)
        let always = first.following(.reloadIgnoringCache)
        let error = await #expect(throws: EmblemError.self) {
            try await never.loadImage(from: testURL())
        }
        guard case .failedToLoad(let cause) = error else { throw OwnError(word: "\(error as Any)") }
        #expect(cause.errorClass == "offline" && base.count() == 0)
        _ = try await always.loadImage(from: testURL())
        _ = try await always.loadImage(from: testURL())
        #expect(base.count() == 2)
        _ = try await never.loadImage(from: testURL())
        _ = try await first.loadImage(from: testURL())
        #expect(base.count() == 2)
    }

    @Test("a caching loader does not cache failures")
    func failures() async throws {
        let image = try TestPictures.image()
        let gate = Gate()
        let base = TestLoader { _ in
            if gate.arrivals == 0 {
                gate.open()
                try await gate.pass()
                throw OwnError(word: "passing")
            }
            return image
        }
        let loader = CachingImageLoader(base)
        await #expect(throws: OwnError(word: "passing")) {
            try await loader.loadImage(from: testURL())
        }
        #expect(try await loader.loadImage(from: testURL()) == image)
    }

    @Test("a damaged image, or a response that is not an image, is removed from the cache")
    func damaged() async throws {
        for (bytes, loads) in [
            (try TestPictures.truncated(), 1), (Array("<html>".utf8), 2),
        ] {
            let base = TestLoader { _ in Image(encoded: bytes) }
            let loader = CachingImageLoader(base)
            var emblem = AsyncEmblem(url: try testURL())
            emblem.loader = loader
            #expect(try await emblem.render().isPlaceholder)
            // The cache keeps a damaged image until `loadImage` checks it, so it is loaded once.
            #expect(try await emblem.render().isPlaceholder && base.count() == loads)
            await #expect(throws: EmblemError.self) { try await loader.loadImage(from: testURL()) }
            let before = base.count()
            await #expect(throws: EmblemError.self) { try await loader.loadImage(from: testURL()) }
            #expect(base.count() == before + 1)
        }
    }

    @Test(
        "a caching loader evicts the least recently used pictures and stays within its byte limit")
    func eviction() async throws {
        let image = try Image(width: 10, height: 10, rgba: Array(repeating: 9, count: 400))
        let base = TestLoader(image)
        let loader = CachingImageLoader(base, bytesLimit: 400 * 3)
        for name in ["a", "b", "c", "a", "d"] {
            _ = try await loader.loadImage(from: testURL(name))
        }
        let kept = loader.following(.returnCacheDontLoad)
        for name in ["a", "c", "d"] { _ = try await kept.loadImage(from: testURL(name)) }
        await #expect(throws: EmblemError.self) { try await kept.loadImage(from: testURL("b")) }
        // The order of use stays correct after many requests.
        for round in 0..<200 { _ = try await loader.loadImage(from: testURL("\(round % 2)")) }
        _ = try await loader.loadImage(from: testURL("e"))
        _ = try await loader.loadImage(from: testURL("f"))
        _ = try await kept.loadImage(from: testURL("1"))
        await #expect(throws: EmblemError.self) { try await kept.loadImage(from: testURL("0")) }
        let none = CachingImageLoader(base, bytesLimit: 399)
        _ = try await none.loadImage(from: testURL("a"))
        await #expect(throws: EmblemError.self) {
            try await none.following(.returnCacheDontLoad).loadImage(from: testURL("a"))
        }
    }

    @Test("a caching loader loads equal URLs once if they are requested together")
    func coalescing() async throws {
        let gate = Gate()
        let base = TestLoader { _ in
            try await gate.pass()
            return try TestPictures.image()
        }
        let loader = CachingImageLoader(base)
        let tasks = try (0..<50).map { index in
            let url = try testURL("\(index % 2)")
            return Task { try await loader.loadImage(from: url) }
        }
        await gate.wait(for: 2)
        gate.open()
        for task in tasks { #expect(try await task.value.width == 60) }
        #expect(base.count() == 2)
    }

    @Test("a cancelled waiter returns at once, and the load continues for the others")
    func leaving() async throws {
        let gate = Gate()
        let base = TestLoader { _ in
            try await gate.pass()
            return try TestPictures.image()
        }
        let loader = CachingImageLoader(base)
        let url = try testURL()
        let first = Task { try await loader.loadImage(from: url) }
        await gate.wait(for: 1)
        let second = Task { try await loader.loadImage(from: url) }
        let third = Task { try await loader.loadImage(from: url) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        gate.open()
        #expect(try await second.value.width == 60)
    }

    @Test("a load without waiters is cancelled")
    func abandoned() async throws {
        let (gate, end) = (Gate(), Gate())
        let base = TestLoader { _ in
            do { try await gate.pass() } catch {
                end.open()
                throw error
            }
            return try TestPictures.image()
        }
        let loader = CachingImageLoader(base)
        let url = try testURL()
        let task = Task { try await loader.loadImage(from: url) }
        await gate.wait(for: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await end.pass()
        // The next request starts a new load.
        gate.open()
        #expect(try await loader.loadImage(from: url).width == 60)
        #expect(base.count() == 2)
    }
}
