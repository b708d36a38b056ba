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

@Suite("Resumed runs")
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

    /// Leaves the state of a run that was killed when its journal had these bytes.
    private func leave(_ journal: some Sequence<UInt8>) throws {
        try fixture.folder.write(journal, to: Self.journal)
        fixture.folder.remove("out/manifest.ndjson")
    }

    /// Leaves the whole journal without its end line.
    private func leaveUnfinished() throws {
        try leave((lines().dropLast().joined(separator: "\n") + "\n").utf8)
    }

    @Test("a resumed run ends like an undisturbed one for every cut of its journal")
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
            let report = try await fixture.runAgain(plan(), resumes: true)
            #expect(try fixture.set() == set, "\(length)")
            let lines = whole.prefix(length).count { $0 == 0x0A }
            // One line for the run, nine for items, and one for the end.
            #expect(report.counts.resumed == (lines == 11 ? 0 : max(0, lines - 1)), "\(length)")
        }
    }

    @Test("a resumed run requests no source of a finished item")
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
        let report = try await fixture.runAgain(plan(), resumes: true)
        #expect(report.ending == .finished && report.counts.resumed == done)
        #expect(try fixture.set() == fixture.set(in: "calm"))
    }

    @Test("a resumed run may be stopped any number of times")
    func chain() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let all = try lines()
        try leave((all.prefix(4).joined(separator: "\n") + "\n").utf8)
        _ = try await fixture.runAgain(plan(), resumes: true)
        // The second run reused three items and was killed after one new item.
        try leave((lines().prefix(4 + 1 + 4).joined(separator: "\n") + "\n").utf8)
        let report = try await fixture.runAgain(plan(), resumes: true)
        #expect(report.counts.resumed == 4)
        #expect(try fixture.set() == set)
    }

    @Test("a resumed run without an earlier run is a normal run")
    func nothingToResume() async throws {
        let first = try await fixture.runAgain(plan(), resumes: true)
        #expect(first.counts.resumed == 0 && first.counts.done == 9)
        let second = try await fixture.runAgain(plan(), resumes: true)
        #expect(second.counts.resumed == 0 && second.counts.reused == 9)
    }

    @Test("a resumed run replaces missing or altered outputs and keeps copied ones")
    func outputs() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try leaveUnfinished()
        fixture.folder.remove("out/small/p1000.png")
        try fixture.folder.write("other", to: "out/small/p1001.png")
        try fixture.folder.write(
            fixture.folder.read("out/small/p1002.png"), to: "out/small/p1002.png")
        let report = try await fixture.runAgain(plan(), resumes: true)
        #expect(report.counts.resumed == 7)
        #expect(try fixture.set() == set)
    }

    @Test("a resumed run keeps items of a missing source, and reads a changed source again")
    func sources() async throws {
        try fixture.folder.write(
            "source\nin/p1000.png\nin/p1001.png\n", to: "list.csv")
        let plan = try fixture.plan([.list(fixture.folder.path("list.csv"))])
        try await fixture.runAgain(plan)
        let before = try fixture.set()
        try leaveUnfinished()
        fixture.folder.remove("in/p1000.png")
        try fixture.folder.write(RunFixture.picture(10, 10, red: 255), to: "in/p1001.png")
        try await fixture.runAgain(plan, resumes: true)
        let after = try fixture.set()
        #expect(after["small/p1000.png"] == before["small/p1000.png"])
        #expect(after["small/p1001.png"] != before["small/p1001.png"])
        #expect(try fixture.items().map(\.status) == ["ok", "ok"])
    }

    @Test("a resumed run ignores damaged or edited journal lines and reports them")
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
            try await fixture.runAgain(plan(), resumes: true)
            #expect(try fixture.set() == set)
            return text
        }
        let edited = try await damaged { $0[2] = $0[2].replacing("\"ok\"", with: "\"no\"") }
        #expect(edited.contains("line 3") && edited.contains("checksum"))
        let garbage = try await damaged { $0[4] = "\u{0}garbage" }
        #expect(garbage.contains("line 5") && garbage.contains("not a journal line"))
        let covered = Array(",\"run\":{\"schema\":\"emblem.journal/9\"}}".utf8)
        let crc = Hexadecimal.text(CRC32.checksum(covered.span), width: 8)
        let other = try await damaged {
            $0[0] = "{\"crc\":\"\(crc)\"" + String(decoding: covered, as: UTF8.self)
        }
        #expect(other.contains("line 1") && other.contains("another version"))
        #expect(try await damaged { _ in }.isEmpty)
    }

    @Test("a resumed run retries temporary failures")
    mutating func failures() async throws {
        fixture.settings.network.allowPrivate = true
        fixture.settings.network.retries = 0
        // No server listens on this port.
        let list = "source\nhttp://127.0.0.1:1/a.png\nin/x.png\nin/gone.png\n"
        try await fixture.runAgain(fixture.plan(list: list))
        #expect(try fixture.items().map(\.errorClass) == ["connect", "not_image", "not_found"])
        let set = try fixture.set()
        try leaveUnfinished()
        let report = try await fixture.runAgain(fixture.plan(list: list), resumes: true)
        #expect(report.counts.resumed == 2 && report.counts.done == 3)
        #expect(try fixture.set() == set)
    }

    @Test("a resumed run tries failed items after items that were not tried yet")
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
        try await fixture.runAgain(fixture.plan(list: "source\n" + list), resumes: true)
        let place = try #require(try lines().lastIndex { $0.contains(first) })
        // Many rows are in progress at once, so the exact last position varies.
        #expect(place > 100, "\(place)")
        #expect(try fixture.set() == set)
    }

    /// A run that differs from the interrupted one, and the expected message.
    struct Other: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var list = "source,id\nin/p1000.png,a\nin/p1001.png,b\n"
        var limit = 2
        let words: [String]
        var change: @Sendable (inout RunSettings) -> Void = { _ in }
    }

    private static let others: [Other] = [
        Other(testDescription: "scale", words: ["--scale", "1", "1,2"]) { $0.scales = [1, 2] },
        Other(testDescription: "mode", words: ["--mode", "fit", "fill"]) { $0.recipe.mode = .fill },
        Other(testDescription: "limit", words: ["--max-bytes", "1048576", "9"]) {
            $0.bytesLimit = 9
        },
        Other(testDescription: "patience", words: ["--item-timeout", "3600", "7"]) {
            $0.network.itemTimeout = .seconds(7)
        },
        Other(
            testDescription: "row", list: "source,id\nin/p1000.png,a\nin/p1002.png,b\n",
            words: ["the list", "row 2 (line 3", "in/p1002.png"]),
        Other(
            testDescription: "label", list: "source,id,hint\nin/p1000.png,a,h\nin/p1001.png,b,\n",
            words: ["the list", "row 1 (line 2"]),
        Other(
            testDescription: "order", list: "source,id\nin/p1001.png,b\nin/p1000.png,a\n",
            words: ["the list", "row 1"]),
        Other(
            testDescription: "grown",
            list: "source,id\nin/p1000.png,a\nin/p1001.png,b\nin/p1002.png,c\n", limit: 3,
            words: ["the list", "had 2 rows and now has 3", "row 3"]),
        Other(
            testDescription: "shrunk", list: "source,id\nin/p1000.png,a\n", limit: 1,
            words: ["the list", "had 2 rows and now has 1", "row 2 is missing"]),
        Other(
            testDescription: "part", limit: 1, words: ["--limit", "2 items", "1"]),
    ]

    @Test(
        "a resumed run with other options is refused with the differences",
        arguments: others)
    mutating func differences(_ other: Other) async throws {
        let first = try fixture.plan(list: "source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        try await fixture.runAgain(first)
        try leaveUnfinished()
        let plan = try fixture.plan(list: other.list)
        other.change(&fixture.settings)
        do {
            _ = try await fixture.batch(plan, resumes: true)
                .run(0..<other.limit)
            Issue.record("it went on")
        } catch BatchError.otherRun(let text) {
            for word in other.words { #expect(text.contains(word), "\(text)") }
        }
        // Without `--resume`, it runs normally.
        #expect(try await fixture.runAgain(plan).ending == .finished)
    }

    @Test("a resumed run with another theme is refused")
    mutating func theme() async throws {
        try await fixture.runAgain(plan())
        try leaveUnfinished()
        let text = "{\"theme\":{\"color\":{\"emblem\":{\"brand\":{\"background\":\"#123456\"}}}}}"
        fixture.settings.theme = try Theme.builtIn.layering(Array(text.utf8), name: "own").0
        let batch = try fixture.batch(plan(), resumes: true)
        await #expect(throws: BatchError.self) {
            _ = try await batch.run(0..<9)
        }
    }
}
