import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import System
import Testing

@Suite("Decoding in worker processes")
struct DecodingTests {
    /// Settings with limits that no decode reaches, so that only a cancellation ends it.
    private static var patient: Decoding {
        var decoding = Decoding()
        decoding.timeout = .seconds(3_600)
        decoding.processorTime = .seconds(3_600)
        return decoding
    }

    private static func drawing(_ name: String) throws -> [UInt8] {
        try #require(HostileDrawing.all.first { $0.name == name }).bytes()
    }

    private static func endless() throws -> [UInt8] { try drawing("a million octaves of noise") }

    @Test("an endless picture ends at the deadline of its renderer with a message")
    func deadline() throws {
        var renderer = EmblemRenderer()
        var decoding = Self.patient
        decoding.processorTime = .milliseconds(200)
        renderer.decoding = decoding
        let late = try #require(throws: EmblemError.self) {
            try renderer.emblem(from: Self.endless())
        }
        #expect("\(late)".contains("Decoding.processorTime"))
        decoding = Self.patient
        decoding.timeout = .milliseconds(200)
        renderer.decoding = decoding
        let later = try #require(throws: EmblemError.self) {
            try renderer.emblem(from: Self.endless())
        }
        #expect("\(later)".contains("Decoding.timeout"))
    }

    @Test(
        "a cancelled task gets its thread back from an endless picture",
        arguments: [
            Decoding.Isolation.process, .none,
        ])
    func canceled(isolation: Decoding.Isolation) async throws {
        var decoding = Self.patient
        decoding.isolation = isolation
        // A drawing that is decoded in this process cannot be stopped, so it is finite.
        let bytes = try isolation == .none ? Self.drawing("100,000 stops") : Self.endless()
        let renderer: EmblemRenderer = {
            var renderer = EmblemRenderer()
            renderer.decoding = decoding
            return renderer
        }()
        let begun = Semaphore()
        let task = Task { () -> EmblemError? in
            begun.signal()
            do throws(EmblemError) {
                _ = try renderer.emblem(from: bytes)
                return nil
            } catch {
                return error
            }
        }
        // Blocked callers may occupy all threads of Swift's pool, so a separate thread cancels the
        // task.
        let isThere = System.Thread.start("canceler") {
            begun.wait()
            task.cancel()
        }
        try #require(isThere)
        #expect("\(try #require(await task.value))".contains("stopped"))
    }

    @Test("a cancelled batch abandons its endless pictures")
    func canceledBatch() async throws {
        let bytes = try Self.endless()
        let folder = try ScratchFolder()
        let path = try folder.write(bytes, to: "endless.svg")
        let begun = Semaphore()
        var sources = [ImageSource.captured(image: try TestPictures.image())]
        sources += (0..<20).map { _ in ImageSource.local(name: path) }
        var batch = EmblemBatch(sources)
        batch.decoding = Self.patient
        batch.observer = SignallingObserver(bell: begun)
        let task = Task { [batch] in
            var count = 0
            for await _ in batch { count += 1 }
            return count
        }
        // Blocked callers in other tests may occupy all threads of Swift's pool while they wait for
        // the workers of this batch, so a separate thread cancels the task.
        let isThere = System.Thread.start("canceler") {
            begun.wait()
            task.cancel()
        }
        try #require(isThere)
        // The finite drawing may have been delivered before the cancellation.
        #expect(await task.value <= 1)
    }

    @Test("more blocking callers than threads all get their emblems")
    func crowd() async throws {
        let picture = try TestPictures.png(90, 70)
        let wanted = try EmblemRenderer().emblem(from: picture)
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { (try? EmblemRenderer().emblem(from: picture)) == wanted }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 200)
    }

    @Test("renderers with different themes draw at the same time, each in its own theme")
    func themes() async throws {
        let picture = try TestPictures.png(90, 70)
        var renderers: [EmblemRenderer] = []
        var wanted: [[UInt8]] = []
        for color in ["#FF0000", "#00FF00", "#0000FF"] {
            let theme = """
                {"theme": {"color": {"emblem": {"brand": {"background": "\(color)"}}}}}
                """
            var renderer = try EmblemRenderer(theme: Array(theme.utf8))
            renderers.append(renderer)
            renderer.decoding = Decoding(.none)
            wanted.append(try renderer.emblem(from: picture))
        }
        #expect(Set(wanted).count == 3)
        let wrong = await withTaskGroup(of: Bool.self) { [renderers, wanted] group in
            for turn in 0..<300 {
                let index = (turn * 7 + turn / 5) % 3
                group.addTask {
                    (try? renderers[index].emblem(from: picture)) != wanted[index]
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
    }

    @Test("a batch whose loader blocks its threads leaves Swift's own threads free")
    func ownThreads() async throws {
        let image = try TestPictures.image()
        let bell = Semaphore()
        let held = Atomic(0)
        let tooLate = Atomic(0)
        var batch = EmblemBatch(urls: try (0..<8).map { try testURL("held-\($0)") })
        batch.loader = TestLoader { _ in
            held.add(1, ordering: .acquiringAndReleasing)
            if !bell.wait(milliseconds: 100_000) { tooLate.add(1, ordering: .relaxed) }
            return image
        }
        let walk = Task { [batch] in await batch.reduce(0) { sum, _ in sum + 1 } }
        while held.load(ordering: .acquiring) < 2 { await Task.yield() }
        let sum = await withTaskGroup(of: Int.self) { group in
            for index in 0..<1_000 { group.addTask { index } }
            return await group.reduce(0, +)
        }
        for _ in 0..<8 { bell.signal() }
        #expect(sum == 499_500)
        #expect(await walk.value == 8)
        #expect(tooLate.load(ordering: .relaxed) == 0)
    }

    @Test("a batch draws as many pictures at once as configured, and at least one")
    func renderers() async throws {
        let image = try TestPictures.image()
        for count in [-1, 0, 1, 3] {
            var batch = EmblemBatch((0..<12).map { _ in ImageSource.captured(image: image) })
            batch.renderers = count
            var made = 0
            for await outcome in batch where outcome.status == .ok { made += 1 }
            #expect(made == 12)
        }
        #expect(EmblemBatch(urls: []).renderers >= 1)
    }

    @Test("a drawing that declares more pixels than the limit cannot become a PNG")
    func vastDrawing() throws {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='90000' height='90000'/>"
        let image = try Image(blockingData: svg.utf8)
        #expect(throws: EmblemError.self) { try image.pngData() }
    }

    @Test("the isolation in force can be read before and after the first picture")
    func inForce() async throws {
        #expect(Decoding(.none).inForce == .thisProgram("isolation is none"))
        let settled = await Decoding().settle()
        guard case .workers(let text) = settled else {
            Issue.record("\(settled)")
            return
        }
        #expect(text.hasPrefix("process, seccomp") && "\(settled)" == text)
    }
}

/// An observer that signals a semaphore for every finished item.
private struct SignallingObserver: EmblemObserver {
    let bell: Semaphore
    func finished(_ report: EmblemReport) { bell.signal() }
}
