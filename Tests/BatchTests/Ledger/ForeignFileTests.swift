import Batch
import Engine
import Support
import Testing
import Transport

@Suite("A foreign file at the place of an output")
struct ForeignFileTests {
    private let fixture: RunFixture
    private let mine = Array("mine".utf8)

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(2)
    }

    private func run(startsOver: Bool = false) async throws -> RunCounts {
        let plan = try fixture.plan(list: "source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        let outlet = try Outlet(folder: output, templateText: nil)
        return try await BatchRun(
            plan: plan, context: fixture.context, outlet: outlet, counter: RunCounter(),
            history: try RunHistory(output), startsOver: startsOver, orphans: .count
        ).run(0..<plan.count).counts
    }

    @Test("a foreign file at the place of an output stays and fails its item")
    func kept() async throws {
        try fixture.folder.write(mine, to: "out/small/a.png")
        try fixture.folder.write(mine, to: "out/other.txt")
        let counts = try await run()
        #expect(counts.failed == 1 && counts.ok == 1 && counts.errors[.write] == 1)
        #expect(try fixture.folder.read("out/small/a.png") == mine)
        #expect(try fixture.folder.read("out/other.txt") == mine)
        // Without journal and manifest, no record says that a run wrote the file.
        fixture.folder.remove("out/small/a.png")
        #expect(try await run().failed == 0)
        fixture.folder.remove("out/.emblem/journal.ndjson")
        fixture.folder.remove("out/manifest.ndjson")
        try fixture.folder.write(mine, to: "out/small/a.png")
        #expect(try await run().failed == 1)
        #expect(try fixture.folder.read("out/small/a.png") == mine)
    }

    @Test("a foreign file with the name of a record stays and fails the run")
    func record() async throws {
        try fixture.folder.write(mine, to: "out/manifest.ndjson")
        let error = await #expect(throws: BatchError.self) { try await run() }
        guard case .outlet(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.exitCode == 73)
        #expect(try fixture.folder.read("out/manifest.ndjson") == mine)
    }

    @Test("a file from an earlier run is not foreign")
    func ours() async throws {
        #expect(try await run().failed == 0)
        // The source changes, but keeps its name.
        try fixture.folder.write(RunFixture.picture(30, 20, red: 200), to: "in/p1000.png")
        #expect(try await run(startsOver: true).failed == 0)
        // The manifest has the names if the journal is lost.
        try fixture.folder.write(RunFixture.picture(20, 30, red: 90), to: "in/p1000.png")
        fixture.folder.remove("out/.emblem")
        #expect(try await run().failed == 0)
    }

    @Test("a file with the same bytes as the output is not foreign")
    func same() async throws {
        _ = try await run()
        fixture.folder.remove("out/.emblem")
        fixture.folder.remove("out/manifest.ndjson")
        #expect(try await run().failed == 0)
    }
}
