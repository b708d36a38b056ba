import Artwork
import Batch
import Engine
import Render
import Support
import System
import Testing
import Theming
import Transport
import Worker

@Suite("Runs with worker processes")
struct WorkerRunTests {
    private var fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    /// Writes pictures, some of which make the worker misbehave.
    private func fill(_ deeds: [String]) throws {
        for (number, deed) in deeds.enumerated() {
            try fixture.folder.write("deed:\(deed)", to: "in/m\(number)-\(deed).png")
        }
        try fixture.fill(9)
    }

    @Test("a run with workers loses only pictures that crash, hang or exhaust memory")
    func badPictures() async throws {
        try fill(["segv", "abort", "hang", "fill", "leave", "shootSelf", "nonsense", "socket"])
        var classes: [String] = []
        let isEnough = try await Waiting.growing(from: .milliseconds(1_500)) { timeout in
            var fixture = fixture
            fixture.settings.network.itemTimeout = timeout
            let out = "out-\(timeout / .milliseconds(1))"
            let context = fixture.context(workers: 2)
            let report = try await fixture.runFolder(into: out, context: context)
            context.backend.close()
            #expect(report.ending == .finished)
            let items = try fixture.items(in: out)
            #expect(items.prefix(8).allSatisfy { $0.placeholder == "icon:account-balance" })
            classes = items.map { $0.errorClass ?? "ok" }
            return classes.prefix(8) == [
                "crashed", "crashed", "timeout", "limit_decode", "crashed", "crashed", "crashed",
                "crashed",
            ] && items.dropFirst(8).allSatisfy { $0.status == "ok" && $0.paths.count == 2 }
        }
        #expect(isEnough, "\(classes)")
    }

    @Test("a run with workers makes the same files as a run in one process")
    func sameSet() async throws {
        try fixture.fill(9)
        try fixture.folder.write("no picture", to: "in/bad.png")
        let context = fixture.context(workers: 2)
        try await fixture.runFolder(into: "workers", context: context)
        context.backend.close()
        try await fixture.runFolder(into: "here")
        #expect(try fixture.set(in: "workers") == fixture.set(in: "here"))
    }

    @Test(
        "large and small pictures that share little memory all end", .timeLimit(.minutes(2)),
        arguments: [1, 2])
    func littleMemory(workers: Int) async throws {
        for number in 0..<6 {
            try fixture.folder.write(
                RunFixture.picture(1800, 1800 + number), to: "in/p\(1_005 + number * 8)-large.png")
        }
        try fixture.fill(60)
        var fixture = fixture
        fixture.settings = RunSettings(
            layouts: [.small], jobs: workers, memoryBytes: 24 << 20, bytesLimit: 1 << 20)
        let context = fixture.context(workers: workers)
        let report = try await fixture.runFolder(context: context)
        let pool = try #require(context.backend as? WorkerPool)
        #expect(report.ending == .finished)
        #expect(try fixture.items().allSatisfy { $0.status == "ok" })
        #expect(pool.queue.groupedCount > 0)
        #expect(pool.queue.memory.greatestUse > pool.queue.bytes / 2)
        context.backend.close()
    }

    @Test("a run without any worker ends, reports no crashed picture and writes no manifest")
    func noProcess() async throws {
        try fixture.fill(4)
        let context = fixture.context(workers: 2, program: "/nonexistent/emblem")
        await #expect(throws: BatchError.self) { try await fixture.runFolder(context: context) }
        let failure = try #require(context.backend.failure)
        #expect("\(failure)".contains("/nonexistent/emblem"))
        context.backend.close()
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
    }
}
