import Artwork
import Codecs
import Engine
import Gauge
import Raster
import Render
import Synchronization
import Testing
import Theming
import Transport
import Worker

@Suite("Pictures that a caller provides")
struct GivenSourceTests {
    private struct OwnError: Error, Equatable {
        let word: String
    }

    /// A source that returns a fixed result and counts the calls.
    private final class Holder: GivenSource {
        private let loaded: Result<LoadedSource, JobStop>
        private let asked = Mutex(0)
        var count: Int { asked.withLock { $0 } }

        init(_ loaded: LoadedSource) { self.loaded = .success(loaded) }

        init(failing error: any Error) {
            loaded = .failure(.failure(ItemFailure(.connect, stage: .fetch, cause: error)))
        }

        func load() async throws(JobStop) -> LoadedSource {
            asked.withLock { $0 += 1 }
            await Task.yield()
            return try loaded.get()
        }
    }

    private final class Sink: OutputSink {
        private let held = Mutex<[RenderedImage]>([])
        var bytes: [[UInt8]] { held.withLock { $0.map(\.bytes) } }
        var storesEqualNamesOnce: Bool { false }

        func store(
            _ images: [RenderedImage], of item: BatchItem, past: PastItem?
        ) throws(JobStop) -> [OutputRecord] {
            held.withLock { $0 = images }
            return []
        }
    }

    /// A backend that renders in this process and counts the orders.
    private final class CountingBackend: RenderBackend {
        private let base = InProcess(
            Renderer(theme: .builtIn, artwork: EmblemArtwork()),
            OrderQueue(slots: 2, bytes: 1 << 28))
        private let orders = Mutex<[RenderOrder.Subject]>([])
        var subjects: [RenderOrder.Subject] { orders.withLock { $0 } }
        var renderer: Renderer { base.renderer }
        var failure: OrderError? { nil }
        func close() {}

        func render(_ order: RenderOrder) async -> RenderAnswer {
            orders.withLock { $0.append(order.subject) }
            if order.source == [7] {
                return RenderAnswer(result: .failure(.unavailable(WorkerLack("no room"))))
            }
            return await base.render(order)
        }
    }

    private let backend = CountingBackend()

    private func context(_ fallbacks: [any GivenSource] = []) -> RunContext {
        var settings = RunSettings(layouts: [.medium], jobs: 2)
        // With a thousand other tests running, a task may wait long for a thread.
        settings.network.itemTimeout = .seconds(3600)
        return RunContext(
            settings: settings, backend: backend, fallbacks: fallbacks, confinement: { .none })
    }

    private func item(_ index: Int, _ holder: Holder) -> BatchItem {
        BatchItem(index: index, row: ListRow(line: 0, offset: 0), picture: .held(by: holder))
    }

    private func pixels(_ red: UInt8) -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: 90, height: 70))
        buffer.fill(Color(red: red, green: 30, blue: 40))
        return buffer
    }

    private func png(_ red: UInt8) throws -> [UInt8] {
        try ImageEncoder.encode(pixels(red), EncodeSettings(format: .png))
    }

    @Test("provided pictures are drawn the same from a file and from pixels")
    func pixels() async throws {
        let job = Job(context())
        let (one, other) = (Sink(), Sink())
        let raster = RenderOrder.Subject.raster(SharedPixels(pixels(200)))
        let file = await job.run(item(0, Holder(LoadedSource(try png(200)))), into: one)
        let bare = await job.run(item(1, Holder(LoadedSource(raster))), into: other)
        #expect(file.record.status == .ok && bare.record.status == .ok)
        #expect(one.bytes.count == 1 && one.bytes == other.bytes)
        #expect(backend.subjects == [.picture, raster])
        #expect(!bare.clock.laps.contains { $0.stage == .decode })
    }

    @Test("a provided picture keeps the caller's error, which does not affect equality")
    func errors() async throws {
        let job = Job(context())
        let failures = await [OwnError(word: "a"), OwnError(word: "b")].concurrentMap { error in
            await job.run(item(0, Holder(failing: error)), into: Sink()).record.failure
        }
        #expect(failures.map { $0?.cause?.error as? OwnError }.map { $0?.word } == ["a", "b"])
        #expect(failures[0] == failures[1] && failures[0]?.errorClass == .connect)
        let broken = await job.run(item(1, Holder(LoadedSource([1, 2, 3]))), into: Sink()).record
        #expect(broken.status == .placeholder && broken.failure?.errorClass == .notImage)
        #expect(
            broken.failure?.cause?.error as? OrderError == .render(.decode(.notImage)))
    }

    @Test("a provided picture fails alone if no backend can decode it, and the backend continues")
    func nowhere() async throws {
        let end = await Job(context()).run(item(0, Holder(LoadedSource([7]))), into: Sink())
        #expect(end.record.status == .placeholder)
        #expect(
            end.record.failure?.cause?.error as? OrderError == .unavailable(WorkerLack("no room")))
    }

    @Test("a failed picture shows the first placeholder that can be drawn; each is loaded once")
    func fallbacks() async throws {
        let fallbacks = [
            Holder(failing: OwnError(word: "gone")), Holder(LoadedSource([1, 2, 3])),
            Holder(LoadedSource(try png(9))), Holder(LoadedSource(try png(10))),
        ]
        let job = Job(context(fallbacks))
        let alone = Sink()
        _ = await Job(context()).run(item(0, Holder(LoadedSource(try png(9)))), into: alone)
        let shown = await (0..<8).concurrentMap { index in
            let sink = Sink()
            let missing = Holder(failing: OwnError(word: "missing"))
            let end = await job.run(item(index, missing), into: sink)
            return end.fallbackIndex == 2 && end.record.status == .placeholder
                && sink.bytes == alone.bytes
        }
        #expect(shown.allSatisfy { $0 } && fallbacks.map(\.count) == [1, 1, 1, 0])
    }

    @Test("a failed picture keeps its first error if no placeholder can be drawn")
    func nothing() async throws {
        var settings = RunSettings(layouts: [.medium])
        settings.recipe.placeholder = .none
        let context = RunContext(settings: settings, backend: backend, confinement: { .none })
        let end = await Job(context).run(
            item(0, Holder(failing: OwnError(word: "gone"))), into: Sink())
        #expect(end.record.status == .failed)
        #expect(end.record.failure?.cause?.error as? OwnError == OwnError(word: "gone"))
    }

    @Test("a provided picture of several items is drawn once for each recipe")
    func sharing() async throws {
        let job = Job(context())
        var other = context().settings.recipe
        other.appearance = .danger
        let holder = Holder(LoadedSource(try png(50)))
        let first = await job.run(item(0, holder), into: Sink())
        var drawn: [[[UInt8]]] = []
        for index in 1...4 {
            var next = item(index, holder)
            if index % 2 == 0 { next.settledRecipe = other }
            let sink = Sink()
            _ = await job.run(next, sharing: first.shared, into: sink)
            drawn.append(sink.bytes)
        }
        #expect(drawn[0] == drawn[2] && drawn[1] == drawn[3] && drawn[0] != drawn[1])
        #expect(backend.subjects == [.picture, .picture] && holder.count == 1)
    }
}

extension Sequence where Element: Sendable {
    /// Returns the results of concurrent calls of `body`, in the order of the elements.
    fileprivate func concurrentMap<Value: Sendable>(
        _ body: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for (place, element) in enumerated() {
                group.addTask { (place, await body(element)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
