import Batch
import Codecs
import Digest
import Engine
import Notation
import Support
import Testing

@Suite("Cancelled runs")
struct CancellationTests {
    private var fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    /// Returns the items of the last run in a journal, after checking each checksum.
    private func journal(_ folder: ScratchFolder) throws -> [ManifestItem] {
        let text = try folder.text("out/.emblem/journal.ndjson")
        #expect(text.isEmpty || text.hasSuffix("\n"))
        var items: [ManifestItem] = []
        for line in text.split(separator: "\n") {
            let whole = Array(line.utf8)
            let json = try JSONParser.parse(whole.span)
            let start = try #require(whole.firstIndex(of: UInt8(ascii: ",")))
            let rest = Array(whole[start...])
            let crc = CRC32.checksum(rest.span)
            #expect(json["crc"]?.stringValue == Hexadecimal.text(crc, width: 8))
            if json["run"] != nil { items = [] }
            if let item = json["item"] { items.append(ManifestItem(item)) }
        }
        return items
    }

    @Test(
        "a cancelled run leaves a valid journal, complete files and no manifest", arguments: [1, 3])
    mutating func inMidRun(_ jobs: Int) async throws {
        try fixture.fill(60, side: 300)
        fixture.settings.jobs = jobs
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        let counter = RunCounter()
        let batch = try fixture.batch(plan, counter: counter)
        let task = Task { try await batch.run(0..<plan.count) }
        while counter.now.done < 3 { await Task.yield() }
        task.cancel()
        let report = try await task.value
        #expect(report.ending == .canceled && counter.now.inFlight == 0)
        #expect(report.counts.ok >= 3 && report.counts.ok < 60)
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
        #expect(fixture.folder.names(in: "out/.emblem/tmp").isEmpty)
        let items = try journal(fixture.folder)
        #expect(items.count == report.counts.ok && items.allSatisfy { $0.status == "ok" })
        for path in items.flatMap(\.paths) {
            let bytes = try fixture.folder.read("out/\(path)")
            #expect(try ImageDecoder.header(of: bytes.span).format == .png)
        }
    }

    @Test("a run that is cancelled before it begins does nothing")
    func atOnce() async throws {
        try fixture.fill(5)
        let fixture = fixture
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await fixture.run(plan)
        }
        let report = try await task.value
        #expect(report.ending == .canceled && report.counts.ok == 0)
        #expect(try journal(fixture.folder).isEmpty && fixture.pictures().isEmpty)
    }

    @Test("a cancelled run can be completed by another run")
    func again() async throws {
        try fixture.fill(5)
        let fixture = fixture
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        let task = Task { try await fixture.run(plan) }
        task.cancel()
        _ = try await task.value
        let report = try await fixture.run(plan)
        #expect(report.ending == .finished && report.counts.ok == 5)
        #expect(try fixture.verification().isIntact)
        #expect(try journal(fixture.folder).count == 5)
    }
}
