import Batch
import Digest
import Engine
import Notation
import Raster
import Render
import Support
import Testing
import Theming
import Transport

@Suite("Runs that continue an interrupted one")
struct ResumeTests {
    private var fixture: RunFixture
    private static let journal = "out/.emblem/journal.ndjson"

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(8)
        try fixture.folder.write("no picture", to: "in/x.png")
    }

    private func plan() throws -> BatchPlan {
        try fixture.plan([.source(fixture.folder.path("in"))])
    }

    private func lines() throws -> [String] {
        try fixture.folder.text(Self.journal).split(separator: "\n").map(String.init)
    }

    /// Returns the journal up to the line of an item, the first of which has the number 1.
    private func lines(untilItem number: Int) throws -> String.UTF8View {
        let lines = try lines()
        let items = lines.indices.filter { lines[$0].contains("\"key\"") }
        return (lines[...items[number - 1]].joined(separator: "\n") + "\n").utf8
    }

    /// Leaves the state of a run that was killed when its journal had these bytes.
    private func leave(_ journal: some Sequence<UInt8>) throws {
        try fixture.folder.write(journal, to: Self.journal)
        fixture.folder.remove("out/manifest.ndjson")
    }

    /// Leaves the whole journal without its end line.
    private func leaveUnfinished() throws {
        try leave((lines().dropLast().joined(separator: "\n") + "\n").utf8)
    }

    @Test("a continued run ends like an undisturbed one for every cut of its journal")
    func anyCut() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let first = try fixture.folder.read(Self.journal)
        let head = try #require(first.firstIndex(of: 0x0A))
        let cuts = Array(stride(from: 0, to: first.count, by: 1_297))
        for length in cuts + [head, head + 1, first.count - 1, first.count] {
            try await fixture.run(plan())
            let whole = try fixture.folder.read(Self.journal)
            try leave(whole.prefix(length))
            let report = try await fixture.runAgain(plan())
            #expect(try fixture.set() == set, "\(length)")
            let lines = whole.prefix(length).split(
                separator: 0x0A, omittingEmptySubsequences: false)
            let items = lines.dropLast().count { $0.contains(Array("\"key\"".utf8)) }
            let isWhole = lines.dropLast().contains { $0.contains(Array("\"end\"".utf8)) }
            #expect(report.counts.resumed == (isWhole ? 0 : items), "\(length)")
        }
    }

    @Test("a continued run requests no source of a finished item")
    func afterStop() async throws {
        try await fixture.run(plan(), into: "calm")
        let counter = RunCounter()
        let batch = try fixture.batch(plan(), counter: counter, remembers: true)
        let count = try plan().count
        let task = Task { try await batch.run(0..<count) }
        while counter.now.done < 3 { await Task.yield() }
        task.cancel()
        let stopped = try await task.value
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
        let done = stopped.counts.done - stopped.counts.canceled
        // Finished items are reused; their sources are not requested again.
        let report = try await fixture.runAgain(plan())
        #expect(report.ending == .finished && report.counts.resumed == done)
        #expect(try fixture.set() == fixture.set(in: "calm"))
    }

    @Test("an interrupted run may be stopped any number of times")
    func chain() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try leave(lines(untilItem: 3))
        _ = try await fixture.runAgain(plan())
        // The second run reused three items and was killed after one new item.
        try leave(lines(untilItem: 3 + 4))
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.resumed == 4)
        #expect(try fixture.set() == set)
    }

    @Test("a continued run replaces missing or altered outputs and keeps copied ones")
    func outputs() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try leaveUnfinished()
        fixture.folder.remove("out/small/p1000.png")
        try fixture.folder.write("other", to: "out/small/p1001.png")
        try fixture.folder.write(
            fixture.folder.read("out/small/p1002.png"), to: "out/small/p1002.png")
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.resumed == 7)
        #expect(try fixture.set() == set)
    }

    @Test("a continued run keeps items of a missing source, and reads a changed source again")
    func sources() async throws {
        try fixture.folder.write(
            "source\nin/p1000.png\nin/p1001.png\n", to: "list.csv")
        let plan = try fixture.plan([.list(fixture.folder.path("list.csv"))])
        try await fixture.runAgain(plan)
        let before = try fixture.set()
        try leaveUnfinished()
        fixture.folder.remove("in/p1000.png")
        try fixture.folder.write(RunFixture.picture(10, 10, red: 255), to: "in/p1001.png")
        try await fixture.runAgain(plan)
        let after = try fixture.set()
        #expect(after["small/p1000.png"] == before["small/p1000.png"])
        #expect(after["small/p1001.png"] != before["small/p1001.png"])
        #expect(try fixture.items().map(\.status) == ["ok", "ok"])
    }

    @Test("a continued run ignores damaged or edited journal lines and reports them")
    func damage() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let whole = try lines()
        func damaged(_ change: (inout [String]) -> Void) async throws -> String {
            var lines = Array(whole.dropLast())
            change(&lines)
            try leave((lines.joined(separator: "\n") + "\n").utf8)
            let folder = try OutputFolder(FilePath(fixture.folder.path("out")))
            let text = try RunHistory(folder).damage ?? ""
            try await fixture.runAgain(plan())
            #expect(try fixture.set() == set)
            return text
        }
        let place = try #require(whole.firstIndex { $0.contains("\"ok\"") })
        let edited = try await damaged {
            $0[place] = $0[place].replacing("\"ok\"", with: "\"no\"")
        }
        #expect(edited.contains("line \(place + 1)") && edited.contains("checksum"))
        let garbage = try await damaged { $0[4] = "\u{0}garbage" }
        #expect(garbage.contains("line 5") && garbage.contains("not a journal line"))
        let covered = Array(",\"begin\":{\"schema\":\"emblem.journal/9\"}}".utf8)
        let crc = Hexadecimal.text(CRC32.checksum(covered.span), width: 8)
        let other = try await damaged {
            $0[0] = "{\"crc\":\"\(crc)\"" + String(decoding: covered, as: UTF8.self)
        }
        // The files of a run of another version are known, and the run is not continued.
        #expect(other.isEmpty)
        #expect(try await damaged { _ in }.isEmpty)
    }

    @Test("a continued run retries temporary failures")
    mutating func failures() async throws {
        fixture.settings.network.allowPrivate = true
        fixture.settings.network.retries = 0
        // No server listens on this port.
        let list = "source\nhttp://127.0.0.1:1/a.png\nin/x.png\nin/gone.png\n"
        try await fixture.runAgain(fixture.plan(list: list))
        #expect(try fixture.items().map(\.errorClass) == ["connect", "not_image", "not_found"])
        let set = try fixture.set()
        try leaveUnfinished()
        let report = try await fixture.runAgain(fixture.plan(list: list))
        #expect(report.counts.resumed == 2 && report.counts.done == 3)
        #expect(try fixture.set() == set)
    }

    @Test("a continued run tries failed items after items that were not tried yet")
    mutating func failuresLast() async throws {
        fixture.settings.network.allowPrivate = true
        fixture.settings.network.retries = 0
        fixture.settings.network.breakerItems = 1_000
        let list = (0..<200).map { "http://127.0.0.1:1/\($0).png\n" }.joined()
        try await fixture.runAgain(fixture.plan(list: "source\n" + list))
        let set = try fixture.set()
        let first = "127.0.0.1:1/0.png"
        let begun = try lines()
        let failed = try #require(begun.first { $0.contains(first) })
        try leave("\(begun[0])\n\(failed)\n".utf8)
        try await fixture.runAgain(fixture.plan(list: "source\n" + list))
        let place = try #require(try lines().lastIndex { $0.contains(first) })
        // Many rows are in progress at once, so the exact last position varies.
        #expect(place > 100, "\(place)")
        #expect(try fixture.set() == set)
    }

    /// A run that differs from the interrupted one.
    struct Other: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var list = "source,id\nin/p1000.png,a\nin/p1001.png,b\n"
        var limit = 2
        var change: @Sendable (inout RunSettings) -> Void = { _ in }
    }

    private static let others: [Other] = [
        Other(testDescription: "scale") { $0.scales = [1, 2] },
        Other(testDescription: "mode") { $0.recipe.mode = .fill },
        Other(testDescription: "patience") { $0.network.itemTimeout = .seconds(7) },
        Other(testDescription: "theme") { settings in
            let text = ##"{"theme":{"color":{"emblem":{"brand":{"background":"#123456"}}}}}"##
            let theme = try? Theme.builtIn.layering(Array(text.utf8), name: "own").0
            settings.theme = theme ?? settings.theme
        },
        Other(
            testDescription: "row", list: "source,id\nin/p1000.png,a\nin/p1002.png,b\n"),
        Other(
            testDescription: "label", list: "source,id,label\nin/p1000.png,a,h\nin/p1001.png,b,\n"),
        Other(
            testDescription: "order", list: "source,id\nin/p1001.png,b\nin/p1000.png,a\n"),
        Other(
            testDescription: "grown",
            list: "source,id\nin/p1000.png,a\nin/p1001.png,b\nin/p1002.png,c\n", limit: 3),
        Other(testDescription: "shrunk", list: "source,id\nin/p1000.png,a\n", limit: 1),
        Other(testDescription: "limit", limit: 1),
    ]

    @Test(
        "a run with another list or other options is a new run, and the first one can follow it",
        arguments: others)
    mutating func differences(_ other: Other) async throws {
        let first = try fixture.plan(list: "source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        try await fixture.runAgain(first)
        let manifest = try fixture.folder.read("out/manifest.ndjson")
        try leaveUnfinished()
        let settings = fixture.settings
        let plan = try fixture.plan(list: other.list)
        other.change(&fixture.settings)
        let report = try await fixture.batch(plan, remembers: true).run(0..<other.limit)
        #expect(report.ending == .finished && report.counts.resumed == 0)
        _ = try await fixture.batch(plan, into: "fresh").run(0..<other.limit)
        #expect(
            try fixture.folder.read("out/manifest.ndjson")
                == fixture.folder.read("fresh/manifest.ndjson"))
        fixture.settings = settings
        let again = try fixture.plan(list: "source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        #expect(try await fixture.runAgain(again).counts.resumed == 0)
        #expect(try fixture.folder.read("out/manifest.ndjson") == manifest)
    }
}
