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
        return decoding
    }

    private static func drawing(_ name: String) throws -> [UInt8] {
        try #require(HostileDrawing.all.first { $0.name == name }).bytes()
    }

    private static func endless() throws -> [UInt8] {
        try drawing("20,000 rules for 2,000 elements")
    }

    @Test("an endless picture ends at its deadline with a message")
    func deadline() async throws {
        var decoding = Decoding()
        decoding.timeout = .milliseconds(200)
        let bytes = try Self.endless()
        let late = await #expect(throws: EmblemError.self) {
            try await Decoding.withCurrent(decoding) { try await Image(data: bytes) }
        }
        #expect("\(late as Any)".contains("Decoding.timeout"))
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
        let begun = Semaphore()
        let draw = { @Sendable [decoding] () throws(EmblemError) in
            _ = try Decoding.withCurrent(decoding) { () throws(EmblemError) in
                try Image(blockingData: bytes)
            }
        }
        let task = Task { () -> EmblemError? in
            begun.signal()
            do throws(EmblemError) {
                try draw()
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
        let task = Task { [batch] in
            var count = 0
            for await _ in batch {
                count += 1
                begun.signal()
            }
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

    @Test("more blocking callers than threads all get their images")
    func crowd() async throws {
        let picture = try TestPictures.png(90, 70)
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { (try? Image(blockingData: picture))?.width == 90 }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 200)
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
