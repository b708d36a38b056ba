import Batch
import Digest
import Engine
import Support
import Testing
import Theming
import Transport

@Suite("Runs over items with dark twins")
struct TwinRunTests {
    private var fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        fixture.settings = RunSettings(layouts: [.small, .large], schemes: [.light, .dark])
        fixture.settings.network.itemTimeout = .seconds(3_600)
        try write(40, to: "light.png")
        try write(200, to: "dark.png")
        try write(90, to: "other.png")
    }

    private func write(_ red: UInt8, to name: String) throws {
        try fixture.folder.write(RunFixture.picture(60, 40, red: red), to: name)
    }

    private func plan() throws -> BatchPlan {
        try fixture.plan(
            list: """
                source,id,dark
                light.png,a,dark.png
                light.png,b,gone.png other.png
                light.png,c,
                light.png,a,dark.png
                """)
    }

    @Test(
        "a run after any change makes the set of a first run",
        arguments: [
            [], ["light.png"], ["dark.png"], ["light.png", "dark.png"], ["-dark.png"],
            ["+dark.png"], ["gone.png"], ["other.png"],
            ["-other.png", "light.png"],
        ])
    func changes(_ names: [String]) async throws {
        try await fixture.runAgain(plan())
        let first = try fixture.set()
        let stamps = fixture.stamps()
        for name in names {
            let file = name.filter { !"+-".contains($0) }
            switch name.first {
            case "-": fixture.folder.remove(file)
            case "+": try fixture.folder.write("no picture", to: file)
            default: try write(150, to: file)
            }
        }
        try await fixture.runAgain(plan())
        let again = try fixture.set()
        try await fixture.run(plan(), into: "fresh")
        #expect(try again == fixture.set(in: "fresh"), "\(names)")
        #expect((again == first) == names.isEmpty)
        if names.isEmpty { #expect(fixture.stamps() == stamps) }
        // A third run, which reads the journal of the second one, makes the same set.
        try await fixture.runAgain(plan())
        #expect(try fixture.set() == again)
    }

    @Test("a resumed run draws an item again whose twin changed since the interruption")
    func resumed() async throws {
        let plan = try plan()
        try await fixture.runAgain(plan)
        let journal = "out/.emblem/journal.ndjson"
        let lines = try fixture.folder.text(journal).split(separator: "\n")
        let kept = lines.prefix { !$0.contains("\"end\"") }.joined(separator: "\n") + "\n"
        try fixture.folder.write(kept, to: journal)
        try write(10, to: "dark.png")
        try await fixture.runAgain(plan)
        let again = try fixture.set()
        try await fixture.run(plan, into: "fresh")
        #expect(try again == fixture.set(in: "fresh"))
    }

    @Test("a twin is part of the plan: its file is read by the item and changes its key")
    func plans() throws {
        let plan = try plan()
        let item = plan.item(at: 1)
        let files = item.filePaths(remoteOnly: false).map { "\($0.lastComponent.count)" }
        #expect(files == ["9", "8", "9"])
        #expect(item.darkSources == ["gone.png", "other.png"])
        #expect(plan.item(at: 2).dark?.isEmpty == true)
        #expect(plan.item(at: 3).sharesFilesWith == 0)
        var row = ListRow(line: 1, offset: 0)
        row.source = "light.png"
        let keys = [nil, [], ["x.png"], ["x.png", "y.png"]].map { dark in
            row.dark = dark
            return ItemKey(BatchItem(index: 0, row: row), nil, look: lookDigest)
        }
        #expect(Set(keys).count == keys.count)
    }

    private var lookDigest: Digest256 {
        RunIdentity.lookDigest(fixture.settings, nameTemplate: nil)
    }
}
