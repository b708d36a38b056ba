import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import System
import Testing

@Suite("A batch of emblems")
struct EmblemBatchTests {
    private func urls(_ count: Int) throws -> [URL] {
        try (0..<count).map { try testURL("\($0)") }
    }

    @Test("a batch draws every source in every layout and scale")
    func all() async throws {
        let image = try TestPictures.image()
        let loader = TestLoader { url in
            if url.lastPathComponent == "3" { throw OwnError(word: "gone") }
            return image
        }
        var batch = EmblemBatch(urls: try urls(10) + [nil])
        batch.layouts = [.small, .xLarge]
        batch.scales = [1, 2]
        batch.loader = loader
        batch.concurrency = 3
        var seen: Set<Int> = []
        for await outcome in batch {
            seen.insert(outcome.index)
            #expect(outcome.emblems.map(\.layout) == [.small, .small, .xLarge, .xLarge])
            #expect(outcome.emblems.map(\.scale) == [1, 2, 1, 2])
            #expect(outcome.emblems.map(\.image.width) == [40, 80, 80, 160])
            #expect(outcome.emblem(.xLarge, scale: 2)?.width == 160)
            #expect(outcome.emblem(.medium) == nil)
            let fails = outcome.index == 3 || outcome.index == 10
            #expect(outcome.status == (fails ? .placeholder : .ok))
            #expect((outcome.error != nil) == fails)
            #expect(outcome.emblems.allSatisfy { $0.isPlaceholder == fails })
            if outcome.index < 10 {
                #expect(outcome.source == .remote(url: try testURL("\(outcome.index)")))
            } else {
                #expect(outcome.error as? EmblemError == .missingURL)
            }
        }
        #expect(seen == Set(0...10) && loader.count() == 10)
    }

    @Test("a batch without a layout, scale or scheme reports an error for every item")
    func nothingAsked() async throws {
        for lack in ["layout", "scale", "colour scheme"] {
            let loader = TestLoader(try TestPictures.image())
            var batch = EmblemBatch(urls: [try testURL("/a"), nil])
            batch.loader = loader
            switch lack {
            case "layout": batch.layouts = []
            case "scale": batch.scales = []
            default: batch.schemes = []
            }
            var count = 0
            for await outcome in batch {
                count += 1
                #expect(outcome.status == .failed && outcome.emblems.isEmpty)
                #expect(outcome.error.map { "\($0)" }?.contains("no \(lack)") == true)
            }
            #expect(count == 2 && loader.count() == 0)
        }
    }

    @Test("a batch loads at most its limit at once, and reads no more sources than it has room for")
    func bounds() async throws {
        let gate = Gate()
        let image = try TestPictures.image()
        let taken = Mutex(0)
        let sources = AsyncStream<ImageSource> {
            let index = taken.withLock { taken in
                taken += 1
                return taken
            }
            return URL(string: "https://pictures.test/\(index)").map { .remote(url: $0) }
        }
        var batch = EmblemBatch(sources)
        batch.loader = TestLoader { _ in
            try await gate.pass()
            return image
        }
        batch.concurrency = 4
        let task = Task { [batch] in
            var count = 0
            for await _ in batch {
                count += 1
                if count == 20 { break }
            }
            return count
        }
        await gate.wait(for: 4)
        for _ in 0..<1000 { await Task.yield() }
        // One more item may have been read; it waits for its permit.
        #expect(gate.arrivals == 4 && taken.withLock { $0 } <= 5)
        gate.open()
        #expect(await task.value == 20)
        #expect(taken.withLock { $0 } <= 20 + 5)
    }

    @Test("a batch loads and draws equal URLs once while they are in progress")
    func coalescing() async throws {
        let gate = Gate()
        let image = try TestPictures.image()
        let loader = TestLoader { _ in
            try await gate.pass()
            return image
        }
        let names = (0..<500).map { "\($0 % 3)" }
        var batch = EmblemBatch(urls: try names.map { try testURL($0) })
        batch.loader = loader
        batch.concurrency = 8
        let task = Task { [batch] in
            var seen: [Int: ImageSource] = [:]
            for await outcome in batch { seen[outcome.index] = outcome.source }
            return seen
        }
        await gate.wait(for: 3)
        for _ in 0..<2000 { await Task.yield() }
        #expect(loader.count() == 3)
        gate.open()
        let seen = await task.value
        #expect(seen.count == 500)
        for (index, source) in seen { #expect(source == .remote(url: try testURL(names[index]))) }
    }

    @Test("a batch ends with the error of its sources after the items in progress")
    func brokenSources() async throws {
        let image = try TestPictures.image()
        let sources = AsyncThrowingStream<ImageSource, any Error> { end in
            for _ in 0..<5 { end.yield(.captured(image: image)) }
            end.finish(throwing: OwnError(word: "list"))
        }
        var count = 0
        await #expect(throws: OwnError(word: "list")) {
            for try await _ in EmblemBatch(sources) { count += 1 }
        }
        #expect(count == 5)
    }

    @Test("a cancelled batch ends and leaves nothing in progress")
    func canceled() async throws {
        let gate = Gate()
        let running = Mutex(0)
        let loader = TestLoader { _ in
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            try await gate.pass()
            return try TestPictures.image()
        }
        var batch = EmblemBatch(urls: try urls(100))
        batch.loader = loader
        batch.concurrency = 10
        let task = Task { [batch] in
            var count = 0
            for await _ in batch { count += 1 }
            return (count, running.withLock { $0 })
        }
        await gate.wait(for: 10)
        task.cancel()
        let (count, left) = await task.value
        #expect(count == 0 && left == 0 && loader.count() == 10)
    }

    @Test("a cancelled batch releases its resources while others block all of Swift's threads")
    func canceledWithoutThreads() async throws {
        let begun = Atomic(false)
        let ended = Atomic(false)
        let bell = Semaphore()
        var batch = EmblemBatch(urls: try urls(1))
        batch.loader = TestLoader { _ in
            begun.store(true, ordering: .releasing)
            // Blocks its thread, which a loader should not do but can.
            let isCanceled = Semaphore()
            await withTaskCancellationHandler {
                isCanceled.wait()
            } onCancel: {
                isCanceled.signal()
            }
            ended.store(true, ordering: .releasing)
            throw CancellationError()
        }
        let task = Task { [batch] in for await _ in batch {} }
        while !begun.load(ordering: .acquiring) { await Task.yield() }
        let holders = 64
        let holding = Atomic(0)
        let hold: @Sendable () -> Void = {
            holding.add(1, ordering: .acquiringAndReleasing)
            bell.wait()
        }
        let hasLetGo = Mutex(false)
        let isThere = System.Thread.start("canceler") {
            // The number of Swift's own threads.
            let width = ProcessInfo.processInfo.activeProcessorCount
            _ = Waiting.until { holding.load(ordering: .acquiring) >= width }
            task.cancel()
            let isOver = Waiting.until { ended.load(ordering: .acquiring) }
            hasLetGo.withLock { $0 = isOver }
            for _ in 0..<holders { bell.signal() }
        }
        try #require(isThere)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<holders { group.addTask { hold() } }
        }
        await task.value
        #expect(hasLetGo.withLock { $0 })
    }

    @Test("leaving the loop over a batch early ends its run")
    func leftEarly() async throws {
        let (gate, end) = (Gate(), Gate())
        let image = try TestPictures.image()
        var batch = EmblemBatch(urls: try urls(100))
        batch.loader = TestLoader { url in
            if url.lastPathComponent == "0" { return image }
            do { try await gate.pass() } catch {
                end.open()
                throw error
            }
            return image
        }
        for await outcome in batch {
            #expect(outcome.index == 0)
            break
        }
        try await end.pass()
    }
}
