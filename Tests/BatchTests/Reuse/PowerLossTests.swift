import Batch
import Digest
import Engine
import Glibc
import Notation
import Support
import Testing
import Transport

/// Tests the rules of syncs and reuse one by one; `Benchmarks/Proof/power-loss.py` tests the whole.
@Suite("Runs after a power loss")
struct PowerLossTests {
    private static let journal = "out/.emblem/journal.ndjson"
    private let fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(8)
    }

    private func plan() throws -> BatchPlan {
        try fixture.plan([.source(fixture.folder.path("in"))])
    }

    /// Writes the journal of a run that was cut off at its end, with a mark after the first `count`
    /// items.
    private func cutOff(markAfter count: Int?) throws {
        var lines = try fixture.folder.text(Self.journal).split(separator: "\n").map(String.init)
        lines.removeAll { $0.contains(",\"end\":") || $0.contains(",\"synced\":") }
        if let count {
            let size = lines[...count].reduce(0) { $0 + $1.utf8.count + 1 }
            let covered = ",\"synced\":[0,\(size)]}"
            let crc = Hexadecimal.text(CRC32.checksum(Array(covered.utf8).span), width: 8)
            lines.append("{\"crc\":\"\(crc)\"\(covered)")
        }
        try fixture.folder.write(lines.joined(separator: "\n") + "\n", to: Self.journal)
        fixture.folder.remove("out/manifest.ndjson")
    }

    /// Fills a file with zeros but keeps its size and time.
    private func zero(_ name: String) throws {
        let path = fixture.folder.path(name)
        let facts = try #require(FileFacts.at(FilePath(path)))
        try fixture.folder.write([UInt8](repeating: 0, count: facts.size), to: name)
        let time = timespec(
            tv_sec: Int(facts.modified / 1_000_000_000),
            tv_nsec: Int(facts.modified % 1_000_000_000))
        let isSet = unsafe [time, time].withUnsafeBufferPointer { times in
            unsafe utimensat(AT_FDCWD, path, times.baseAddress, 0) == 0
        }
        #expect(isSet)
    }

    private func names() throws -> [String] {
        try fixture.folder.text(Self.journal).split(separator: "\n").compactMap { line in
            try? JSONParser.parse(Array(line.utf8).span)[path: ["item", "name"]]?.stringValue
        }
    }

    @Test("a run after a power loss compares outputs by their bytes unless they were synced")
    func unmarked() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try cutOff(markAfter: nil)
        try zero("out/small/p1003.png")
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.reused == 7)
        #expect(try fixture.set() == set)
    }

    @Test(
        "a run after a power loss trusts size and time only of synced outputs",
        arguments: [false, true])
    func marked(_ compacts: Bool) async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let names = try names()
        try cutOff(markAfter: 5)
        if compacts {
            _ = try RunHistory(OutputFolder(FilePath(fixture.folder.path("out"))), compacts: true)
        }
        let (covered, other) = ("small/\(names[4]).png", "small/\(names[5]).png")
        try zero("out/\(covered)")
        try zero("out/\(other)")
        let report = try await fixture.runAgain(plan())
        #expect(report.counts.resumed == 7)
        let found = try fixture.set()
        // The fast path cannot see a change that keeps size and time.
        #expect(found[covered] != set[covered])
        #expect(found[other] == set[other])
    }

    @Test("a later sync does not make a run trust the lines of a killed run after a power loss")
    func laterMark() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try cutOff(markAfter: nil)
        try zero("out/small/p1003.png")
        // A run over other pictures finishes, and marks none of the earlier lines.
        try fixture.folder.write(RunFixture.picture(20, 20), to: "other/x.png")
        try await fixture.runAgain(fixture.plan([.source(fixture.folder.path("other"))]))
        try await fixture.runAgain(plan())
        #expect(try fixture.set()["small/p1003.png"] == set["small/p1003.png"])
    }

    @Test("a run records which outputs its background syncs covered")
    func marks() async throws {
        let batch = try fixture.batch(plan(), remembers: true, syncNanoseconds: 0)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await batch.run(0..<8)
        }
        task.cancel()
        #expect(try await task.value.ending == .canceled)
        // A stopped run syncs too.
        #expect(try fixture.folder.text(Self.journal).contains("\"synced\":[0,"))
        #expect(try RunHistory(OutputFolder(FilePath(fixture.folder.path("out")))).damage == nil)
    }

    @Test("a short run begins to sync its outputs before it writes its records")
    func lastSync() async throws {
        let plan = try plan()
        let calls = SystemFaults([])
        try await SystemCalls.$faults.withValue(calls) { _ = try await fixture.runAgain(plan) }
        // The outputs in the background, then the records, then the manifest.
        #expect(calls.count(of: .sync) == 3)
    }

    /// With 0 the sync fails while items are in progress, otherwise after the last item.
    @Test(
        "a failed background sync exits with 74, and the next run makes a complete set",
        arguments: [0, UInt64.max])
    func failedSync(_ nanoseconds: UInt64) async throws {
        let plan = try plan()
        let batch = try fixture.batch(plan, remembers: true, syncNanoseconds: nanoseconds)
        let faults = SystemFaults([.init(.sync, .fail(EIO))])
        do {
            _ = try await SystemCalls.$faults.withValue(faults) {
                try await batch.run(0..<plan.count)
            }
            Issue.record("The failed sync was swallowed.")
        } catch BatchError.outlet(let cause) {
            #expect(cause.exitCode == 74 && cause.cause == Errno(EIO))
        }
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
        #expect(try !fixture.folder.text(Self.journal).contains("synced"))
        try await fixture.runAgain(plan)
        #expect(try fixture.verification().isIntact)
    }

    @Test(
        "a run without changes syncs nothing, except what a killed run left")
    func syncCount() async throws {
        let plan = try plan()
        try await fixture.runAgain(plan)
        let calm = SystemFaults([])
        try await SystemCalls.$faults.withValue(calm) { _ = try await fixture.runAgain(plan) }
        #expect(calm.count(of: .sync) == 0)
        let manifest = try fixture.folder.read("out/manifest.ndjson")
        try cutOff(markAfter: nil)
        try fixture.folder.write(manifest, to: "out/manifest.ndjson")
        let unclean = SystemFaults([])
        try await SystemCalls.$faults.withValue(unclean) { _ = try await fixture.runAgain(plan) }
        #expect(unclean.count(of: .sync) > 0)
        #expect(try fixture.folder.read("out/manifest.ndjson") == manifest)
    }

    @Test("a run removes the old manifest from the disk before it changes an output")
    func oldManifest() async throws {
        let plan = try plan()
        try await fixture.runAgain(plan)
        let pictures = { fixture.stamps().filter { !$0.key.hasPrefix("manifest") } }
        let before = pictures()
        try fixture.folder.write(RunFixture.picture(48, 48, red: 250), to: "in/p1000.png")
        let faults = SystemFaults([.init(.sync, count: 1_000, .fail(EIO))])
        await #expect(throws: BatchError.self) {
            try await SystemCalls.$faults.withValue(faults) {
                _ = try await fixture.runAgain(plan)
            }
        }
        #expect(pictures() == before)
    }
}
