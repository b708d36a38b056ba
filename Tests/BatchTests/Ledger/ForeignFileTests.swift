import Batch
import Engine
import Support
import Testing
import Transport

@Suite("A foreign file at the place of an output")
struct ForeignFileTests {
    private let fixture: RunFixture
    private let mine = Array("mine".utf8)
    private let replaced = "out/.emblem/replaced"

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(2)
    }

    private func run(startsOver: Bool = false) async throws -> OutputLedger.Moved {
        let plan = try fixture.plan(list: "source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        let outlet = try Outlet(folder: output, templateText: nil)
        _ = try await BatchRun(
            plan: plan, context: fixture.context, outlet: outlet, counter: RunCounter(),
            history: try RunHistory(output), startsOver: startsOver, orphans: .count
        ).run(0..<plan.count)
        return outlet.ledger.moved
    }

    @Test("a foreign file at the place of an output is kept and reported")
    func kept() async throws {
        try fixture.folder.write(mine, to: "out/small/a.png")
        try fixture.folder.write(mine, to: "out/manifest.ndjson")
        try fixture.folder.write(mine, to: "out/other.txt")
        let found = try await run()
        #expect(found.count == 2 && found.first.hasSuffix("manifest.ndjson"))
        #expect(try fixture.folder.read("\(replaced)/small/a.png") == mine)
        #expect(try fixture.folder.read("\(replaced)/manifest.ndjson") == mine)
        #expect(try fixture.folder.read("out/other.txt") == mine)
        #expect(try fixture.verification().isIntact)
        // Without journal and manifest, no record says that a run wrote the file.
        fixture.folder.remove("out/.emblem/journal.ndjson")
        fixture.folder.remove("out/manifest.ndjson")
        try fixture.folder.write(mine, to: "out/small/a.png")
        #expect(try await run().count == 1)
        #expect(try fixture.folder.read("\(replaced)/small/a.png~2") == mine)
    }

    @Test("a file from an earlier run is not foreign, with any content")
    func ours() async throws {
        #expect(try await run().count == 0)
        // The source changes, but keeps its name.
        try fixture.folder.write(RunFixture.picture(30, 20, red: 200), to: "in/p1000.png")
        #expect(try await run(startsOver: true).count == 0)
        try fixture.folder.write(mine, to: "out/small/a.png")
        #expect(try await run().count == 0)
        // The manifest has the names if the journal is lost.
        try fixture.folder.write(RunFixture.picture(20, 30, red: 90), to: "in/p1000.png")
        fixture.folder.remove("out/.emblem")
        #expect(try await run().count == 0)
        #expect(!fixture.folder.exists(replaced))
    }

    @Test("a file with the same bytes as the output is not foreign")
    func same() async throws {
        _ = try await run()
        fixture.folder.remove("out/.emblem")
        fixture.folder.remove("out/manifest.ndjson")
        #expect(try await run().count == 0)
    }
}
