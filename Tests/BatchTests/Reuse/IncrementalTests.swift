import Batch
import Engine
import Glibc
import Render
import Support
import Testing
import Theming
import Transport

@Suite("Incremental runs")
struct IncrementalTests {
    private var fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(5)
        try fixture.folder.write("no picture", to: "in/x.png")
        try fixture.folder.write(RunFixture.svg, to: "in/z.svg")
    }

    private func plan() throws -> BatchPlan {
        try fixture.plan([.source(fixture.folder.path("in"))])
    }

    @Test(
        "an incremental run over unchanged sources writes no file, not even the manifest",
        arguments: [true, false])
    mutating func nothingChanged(looksAhead: Bool) async throws {
        fixture.looksAhead = looksAhead
        try await fixture.runAgain(plan())
        let before = fixture.stamps()
        for _ in 0..<2 {
            let report = try await fixture.runAgain(plan())
            #expect(report.counts.reused == 7 && report.counts.resumed == 0)
            #expect(report.counts.ok == 6 && report.counts.placeholders == 1)
            #expect(fixture.stamps() == before)
        }
        #expect(try fixture.verification().isIntact)
    }

    @Test("an incremental run updates only what changed", arguments: [true, false])
    mutating func oneChanged(looksAhead: Bool) async throws {
        fixture.looksAhead = looksAhead
        try await fixture.runAgain(plan())
        let before = fixture.stamps()
        try fixture.folder.write(RunFixture.picture(48, 48, red: 250), to: "in/p1002.png")
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.reused == 6)
        let changed = fixture.stamps().filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(changed == ["large/p1002.png", "manifest.ndjson", "small/p1002.png"])
        try await fixture.run(plan(), into: "fresh")
        #expect(try fixture.set() == fixture.set(in: "fresh"))
    }

    @Test("an incremental run that starts over replaces no output with equal bytes")
    func startingOver() async throws {
        try await fixture.runAgain(plan())
        let before = fixture.stamps()
        let plan = try self.plan()
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        let report = try await BatchRun(
            plan: plan, context: fixture.context,
            outlet: try Outlet(folder: output, templateText: nil), counter: RunCounter(),
            history: try RunHistory(output), startsOver: true
        ).run(0..<plan.count)
        #expect(report.counts.reused == 0)
        let changed = fixture.stamps().filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(changed == ["manifest.ndjson"])
    }

    @Test("an incremental run reads a touched source again and keeps its outputs")
    func touched() async throws {
        try await fixture.runAgain(plan())
        let before = fixture.stamps()
        try fixture.folder.write(fixture.folder.read("in/p1001.png"), to: "in/p1001.png")
        #expect(try await fixture.runAgain(plan()).counts.reused == 7)
        #expect(fixture.stamps() == before)
    }

    @Test(
        "an incremental run replaces only outputs that are missing or were altered",
        arguments: [true, false])
    mutating func outputsAltered(looksAhead: Bool) async throws {
        fixture.looksAhead = looksAhead
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let before = fixture.stamps()
        fixture.folder.remove("out/large/p1000.png")
        let altered = try fixture.folder.read("out/small/p1003.png")
        try fixture.folder.write(altered.map { $0 ^ 1 }, to: "out/small/p1003.png")
        fixture.folder.remove("out/small/x.png")
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.reused == 4)
        #expect(try fixture.set() == set)
        let changed = fixture.stamps().filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(
            changed == [
                "large/p1000.png", "manifest.ndjson", "small/p1003.png", "small/x.png",
            ])
    }

    @Test(
        "an incremental run keeps outputs with equal bytes and another time, and records the time",
        arguments: [true, false])
    mutating func outputsCopied(looksAhead: Bool) async throws {
        fixture.looksAhead = looksAhead
        try await fixture.runAgain(plan())
        for name in fixture.pictures(in: "out") {
            try fixture.folder.write(fixture.folder.read("out/\(name)"), to: "out/\(name)")
        }
        let before = fixture.stamps()
        var journals = [try fixture.folder.read("out/.emblem/journal.ndjson")]
        for _ in 0..<2 {
            #expect(try await fixture.runAgain(plan()).counts.reused == 7)
            #expect(fixture.stamps() == before)
            journals.append(try fixture.folder.read("out/.emblem/journal.ndjson"))
        }
        #expect(journals[0] != journals[1] && journals[1] == journals[2])
    }

    @Test("an incremental run reaches a stable state for rows that share placeholder files")
    func sharedPlaceholder() async throws {
        let list = "source\n" + String(repeating: "in/gone.png\n\u{20}\n:::\n", count: 4)
        try await fixture.runAgain(fixture.plan(list: list))
        let before = fixture.stamps()
        for _ in 0..<2 {
            let report = try await fixture.runAgain(fixture.plan(list: list))
            #expect(report.counts.reused == report.counts.done)
            #expect(fixture.stamps() == before)
        }
    }

    @Test("an incremental run with other options ends with the same set as a first run")
    mutating func otherOptions() async throws {
        try await fixture.runAgain(plan())
        fixture.settings.recipe.appearance = .danger
        #expect(try await fixture.runAgain(plan()).counts.reused == 0)
        try await fixture.run(plan(), into: "fresh")
        #expect(try fixture.set() == fixture.set(in: "fresh"))
        #expect(try await fixture.runAgain(plan()).counts.reused == 7)
        // Timeouts and jobs change no picture.
        fixture.settings.network.timeout = .seconds(3)
        fixture.settings.jobs = 3
        #expect(try await fixture.runAgain(plan()).counts.reused == 7)
    }

    @Test("an incremental run that starts over draws everything and keeps files with equal bytes")
    func force() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let before = fixture.stamps()
        #expect(try await fixture.run(plan()).counts.reused == 0)
        let pictures = fixture.stamps().filter { $0.key != "manifest.ndjson" }
        #expect(!pictures.isEmpty && pictures.allSatisfy { before[$0.key] == $0.value })
        #expect(try fixture.set() == set)
    }

    @Test(
        "an incremental run applies order and other columns of a list to the manifest, not to pictures"
    )
    func lists() async throws {
        let head = "source,id,note,alternatives,appearance\n"
        let rows = [
            "in/p1000.png,a,one,,", "in/gone.png,b,two,in/p1001.png,", "in/p1000.png,c,three,,info",
            "in/p1000.png,a,four,,", "in/gone.png,d,five,,", ",e,six,,",
            "data:image/png;base64,AA,,,,",
        ]
        try await fixture.runAgain(fixture.plan(list: head + rows.joined(separator: "\n")))
        let before = fixture.stamps().filter { $0.key != "manifest.ndjson" }
        let others = rows.reversed().map { $0.replacing("four", with: "fourth") }
        let list = head + others.joined(separator: "\n")
        let report = try await fixture.runAgain(fixture.plan(list: list))
        #expect(report.counts.reused == rows.count)
        #expect(fixture.stamps().filter { $0.key != "manifest.ndjson" } == before)
        try await fixture.run(fixture.plan(list: list), into: "fresh")
        #expect(try fixture.set() == fixture.set(in: "fresh"))
    }

    @Test("an incremental run uses the current placeholder of a row")
    func ownPlaceholder() async throws {
        let list = "source,placeholder\nin/gone.png,own.svg\n"
        try fixture.folder.write(RunFixture.svg, to: "own.svg")
        try await fixture.runAgain(fixture.plan(list: list))
        let before = fixture.stamps()
        try await fixture.runAgain(fixture.plan(list: list))
        #expect(fixture.stamps()["small/gone.png"] == before["small/gone.png"])
        try fixture.folder.write(RunFixture.svg.replacing("0a5fff", with: "ff5f0a"), to: "own.svg")
        try await fixture.runAgain(fixture.plan(list: list))
        try await fixture.run(fixture.plan(list: list), into: "fresh")
        #expect(try fixture.set() == fixture.set(in: "fresh"))
    }

    @Test("an incremental run removes no files of items that left the list")
    func nothingIsDeleted() async throws {
        try await fixture.runAgain(plan())
        fixture.folder.remove("in/p1000.png")
        try await fixture.runAgain(plan())
        #expect(fixture.folder.exists("out/small/p1000.png"))
        #expect(try fixture.items().count == 6)
    }

    @Test("an incremental run keeps its journal short")
    func journalStaysSmall() async throws {
        try fixture.fill(300, side: 2)
        var sizes: [Int] = []
        for _ in 0..<5 {
            try await fixture.runAgain(plan())
            sizes.append(try fixture.folder.read("out/.emblem/journal.ndjson").count)
        }
        #expect(sizes.allSatisfy { $0 <= sizes[0] * 21 / 10 })
        #expect(try await fixture.runAgain(plan()).counts.reused == 302)
    }
}

@Suite("File observations")
struct SeenFileTests {
    @Test("a file's size and time are trusted once it is unchanged for two seconds")
    func doubt() throws {
        let folder = try ScratchFolder()
        try folder.write("picture", to: "a.png")
        let facts = try #require(FileFacts.at(FilePath(folder.path("a.png"))))
        let time = max(facts.modified, facts.changed)
        #expect(!SeenFile(facts, now: time).vouches(for: facts))
        #expect(!SeenFile(facts, now: time - 1).vouches(for: facts))
        let seen = SeenFile(facts, now: time + 3_000_000_000)
        #expect(seen.vouches(for: facts))
        try folder.write("picturE", to: "a.png")
        let later = try #require(FileFacts.at(FilePath(folder.path("a.png"))))
        #expect(!seen.vouches(for: later))
        #expect(FileFacts.at(FilePath(folder.path)).map(seen.vouches) == false)
    }
}
