import Batch
import Codecs
import Engine
import Render
import Support
import System
import Testing

@Suite("The memory of a run")
struct MemoryTests {
    private var fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    private func fill(_ side: Int) throws {
        for number in 0..<8 {
            let picture = try RunFixture.picture(
                side, side, red: UInt8(number * 20), as: .webp, quality: .lossless)
            try fixture.folder.write(picture, to: "in/\(number).webp")
        }
    }

    @Test("a run never exceeds its memory limit, and the limit changes no byte")
    mutating func budget() async throws {
        try fill(1_000)
        fixture.settings.jobs = 4
        try await fixture.runFolder(into: "ample")
        fixture.settings.memoryBytes = 14 << 20
        let context = fixture.context
        let queue = try #require(context.backend as? InProcess).queue
        let report = try await fixture.runFolder(into: "small", context: context)
        #expect(report.counts.ok == 8)
        #expect((4 << 20...queue.memory.total).contains(queue.memory.greatestUse))
        #expect(
            context.bodies.greatestUse <= context.bodies.total && context.bodies.greatestUse > 0)
        #expect(queue.greatestSlots <= 4)
        #expect(queue.bytes + context.bodies.total <= 14 << 20)
        for name in fixture.pictures(in: "ample") + ["manifest.ndjson"] {
            #expect(
                try fixture.folder.read("ample/\(name)") == fixture.folder.read("small/\(name)"))
        }
    }

    @Test("a run refuses a picture that needs more than its whole memory")
    mutating func tooLarge() async throws {
        try fill(1_000)
        try fixture.folder.write(RunFixture.picture(20, 20), to: "in/tiny.png")
        fixture.settings.memoryBytes = 3 << 20
        fixture.settings.jobs = 2
        try await fixture.runFolder()
        let items = try fixture.items()
        #expect(items.dropLast().allSatisfy { $0.errorClass == "limit_decode" })
        #expect(items.last?.status == "ok")
    }

    @Test("the memory of a run includes placeholders of rows")
    mutating func placeholders() async throws {
        try fill(1_000)
        fixture.settings.jobs = 4
        fixture.settings.memoryBytes = 14 << 20
        let rows = (0..<8).map { "gone\($0).png,in/\($0).webp\n" }.joined()
        let context = fixture.context
        let queue = try #require(context.backend as? InProcess).queue
        try await fixture.run(fixture.plan(list: "source,placeholder\n\(rows)"), context: context)
        let names = try fixture.items().map(\.placeholder)
        #expect(names == (0..<8).map { "file:in/\($0).webp" })
        #expect((4 << 20...queue.memory.total).contains(queue.memory.greatestUse))
        fixture.settings.memoryBytes = 3 << 20
        try await fixture.run(fixture.plan(list: "source,placeholder\n\(rows)"))
        #expect(try fixture.items().allSatisfy { $0.placeholder == "icon:account-balance" })
    }

    @Test("a run spends no memory on sources that are too long or have too many pixels")
    mutating func limits() async throws {
        try fixture.folder.write([UInt8](repeating: 0, count: 5_000), to: "in/long.png")
        try fixture.folder.write(RunFixture.picture(300, 300), to: "in/wide.png")
        fixture.settings.bytesLimit = 4_000
        fixture.settings.recipe.limits.pixels = 80_000
        try await fixture.runFolder()
        #expect(try fixture.items().map(\.errorClass) == ["too_large", "limit_pixels"])
    }

    @Test("a run gives nearly all its memory to one picture, without optional caches")
    mutating func nearlyAll() async throws {
        try fixture.folder.write(RunFixture.picture(1_000, 1_000), to: "in/large.png")
        fixture.settings.memoryBytes = 6 << 20
        try await fixture.runFolder()
        #expect(try fixture.items().map(\.status) == ["ok"])
    }

    @Test(
        "all consumers of a run share one memory budget",
        arguments: [1, 2, 1_000, 1 << 20, 512 << 20])
    func shares(_ bytes: Int) {
        let settings = RunSettings(memoryBytes: bytes)
        #expect(settings.bodyBytes >= 1 && settings.decodeBytes >= 1)
        #expect(settings.bodyBytes + settings.decodeBytes <= max(bytes, 2))
    }
}
