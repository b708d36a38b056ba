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

/// Repeats a finished run. Its sources are inline, so the age of files does not matter.
@Suite("Repeated runs")
struct RepeatedRunTests {
    private static let journal = "out/.emblem/journal.ndjson"
    private let fixture: RunFixture
    private let list: String

    init() throws {
        fixture = try RunFixture()
        // Some of the pictures look alike.
        let rows = (0..<12).map { number in
            let svg = RunFixture.svg.replacing(
                "height=\"60\" fill", with: "height=\"3\(number)\" fill")
            let bytes = Array(svg.utf8)
            let text = Base64.encode(bytes.span)
            return "\"data:image/svg+xml;base64,\(text)\",item-\(number)\n"
        }
        list = "source,id\n" + rows.joined()
    }

    private func plan() throws -> BatchPlan { try fixture.plan(list: list) }

    @Test("a repeated run writes nothing to its journal and reports the same as the first run")
    func writesNothing() async throws {
        let first = try await fixture.runAgain(plan())
        let stamps = fixture.stamps()
        let journal = try fixture.folder.read(Self.journal)
        for _ in 0..<3 {
            let report = try await fixture.runAgain(plan())
            #expect(report.counts.reused == 12)
            #expect(report.counts.lint == first.counts.lint)
            #expect(report.counts.linted == first.counts.linted)
            #expect(fixture.stamps() == stamps)
            #expect(try fixture.folder.read(Self.journal) == journal)
        }
    }

    @Test(
        "a repeated run writes journal lines for all items as soon as one differs",
        arguments: [0, 5, 11])
    func oneDiffers(_ number: Int) async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let journal = try fixture.folder.read(Self.journal)
        fixture.folder.remove("out/large/item-\(number).png")
        #expect(try await fixture.runAgain(plan()).counts.reused == 11)
        #expect(try fixture.set() == set)
        let grown = try fixture.folder.read(Self.journal)
        #expect(grown.starts(with: journal))
        let lines = grown.dropFirst(journal.count).split(separator: 0x0A)
        // Twelve item lines, a first line, a line for the output that is written, and an end line.
        #expect(lines.count == 15)
        #expect(lines.count { $0.contains(Array("\"key\"".utf8)) } == 12)
        let history = try RunHistory(OutputFolder(FilePath(fixture.folder.path("out"))))
        #expect(!history.isUnfinished && history.damage == nil)
        #expect(try await fixture.runAgain(plan()).counts.reused == 12)
        #expect(try fixture.folder.read(Self.journal) == grown)
    }

    @Test(
        "a repeated run replaces a manifest that the last run did not write",
        arguments: ["", "line\n"])
    func manifest(added: String) async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        if added.isEmpty {
            fixture.folder.remove("out/manifest.ndjson")
        } else {
            try fixture.folder.write(
                fixture.folder.text("out/manifest.ndjson") + added, to: "out/manifest.ndjson")
        }
        try await fixture.runAgain(plan())
        #expect(try fixture.set() == set)
        let stamps = fixture.stamps()
        let journal = try fixture.folder.read(Self.journal)
        try await fixture.runAgain(plan())
        #expect(fixture.stamps() == stamps)
        #expect(try fixture.folder.read(Self.journal) == journal)
    }

    @Test("a repeated run repeats the failures of the first one")
    func failures() async throws {
        let plan = try fixture.plan(list: "source,id\nin/gone.png,a\nno-scheme://b,b\n")
        try await fixture.runAgain(plan)
        let journal = try fixture.folder.read(Self.journal)
        #expect(try await fixture.runAgain(plan).counts.placeholders == 2)
        #expect(try fixture.folder.read(Self.journal) == journal)
    }

    @Test("a repeated run that was stopped is continued")
    func canceled() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        let batch = try fixture.batch(plan(), remembers: true)
        let task = Task { try await batch.run(0..<12) }
        task.cancel()
        #expect(try await task.value.ending == .canceled)
        #expect(try RunHistory(output).isUnfinished)
        #expect(try await fixture.runAgain(plan()).counts.reused == 12)
        #expect(try fixture.set() == set)
    }

    @Test("a repeated run keeps its knowledge when its journal is rewritten")
    func compaction() async throws {
        let rows = try (0..<400).map { number in
            let bytes = try RunFixture.picture(2, 2, red: UInt8(number % 250))
            return "\"data:image/png;base64,\(Base64.encode(bytes.span))\",item-\(number)\n"
        }
        let plan = try fixture.plan(list: "source,id\n" + rows.joined())
        try await fixture.runAgain(plan)
        fixture.folder.remove("out/large/item-7.png")
        try await fixture.runAgain(plan)
        let stamps = fixture.stamps()
        let grown = try fixture.folder.read(Self.journal).count
        let counts = try await fixture.runAgain(plan).counts
        let compact = try fixture.folder.read(Self.journal)
        #expect(compact.count < grown * 6 / 10)
        let again = try await fixture.runAgain(plan).counts
        #expect(again.lint == counts.lint && again.reused == 400)
        #expect(fixture.stamps() == stamps)
        #expect(try fixture.folder.read(Self.journal) == compact)
    }

    @Test(
        "a repeated run reads a journal without its first line, or of an earlier version, in full"
    )
    func otherEnds() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        var lines = try fixture.folder.text(Self.journal).split(separator: "\n")
        let end = Array(",\"end\":12}".utf8)
        let crc = Hexadecimal.text(CRC32.checksum(end.span), width: 8)
        let short = "{\"crc\":\"\(crc)\",\"end\":12}"
        let known = lines.removeLast()
        for last in [short, String(known)] {
            let kept = last == short ? lines[...] : lines.dropFirst()
            try fixture.folder.write(
                kept.joined(separator: "\n") + "\n\(last)\n", to: Self.journal)
            try await fixture.runAgain(plan())
            #expect(try fixture.set() == set)
        }
    }
}
