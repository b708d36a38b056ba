import Batch
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

    /// Removes the end of the last run from the journal, as if the run were interrupted.
    private func cutOff() throws {
        var lines = try fixture.folder.text(Self.journal).split(separator: "\n").map(String.init)
        lines.removeAll { $0.contains(",\"end\":") }
        try fixture.folder.write(lines.joined(separator: "\n") + "\n", to: Self.journal)
        fixture.folder.remove("out/manifest.ndjson")
    }

    /// Runs the plan after another start of the machine.
    private func runOnOtherBoot(_ plan: BatchPlan) async throws -> BatchRun.Report {
        try await Boot.$pretended.withValue("other") { try await fixture.runAgain(plan) }
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

    @Test("a run on another boot than the interrupted one compares outputs by their bytes")
    func otherBoot() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try cutOff()
        try zero("out/small/p1003.png")
        let report = try await runOnOtherBoot(plan())
        #expect(report.counts.reused == 7)
        #expect(try fixture.set() == set)
    }

    @Test("a run on the boot of the interrupted one, or after a finished one, trusts size and time")
    func sameBoot() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try zero("out/small/p1003.png")
        #expect(try await runOnOtherBoot(plan()).counts.reused == 8)
        try cutOff()
        #expect(try await fixture.runAgain(plan()).counts.resumed == 8)
        // The fast path cannot see a change that keeps size and time.
        #expect(try fixture.set()["small/p1003.png"] != set["small/p1003.png"])
    }

    @Test("a later run on another boot does not make a run trust what the interrupted one wrote")
    func laterRun() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        try cutOff()
        try zero("out/small/p1003.png")
        try fixture.folder.write(RunFixture.picture(20, 20), to: "other/x.png")
        _ = try await runOnOtherBoot(fixture.plan([.source(fixture.folder.path("other"))]))
        _ = try await runOnOtherBoot(plan())
        #expect(try fixture.set()["small/p1003.png"] == set["small/p1003.png"])
    }

    @Test("a file that a power loss cut out of the records does not count as foreign")
    func lostAnnouncement() async throws {
        try await fixture.runAgain(plan())
        let set = try fixture.set()
        let lines = try fixture.folder.text(Self.journal).split(separator: "\n")
        try fixture.folder.write("\(lines[0])\n", to: Self.journal)
        fixture.folder.remove("out/manifest.ndjson")
        try fixture.folder.write([0, 0, 0], to: "out/small/p1003.png")
        #expect(try await runOnOtherBoot(plan()).counts.failed == 0)
        #expect(try fixture.set() == set)
    }

    @Test(
        "a failed sync exits with 74, and the next run makes a complete set", arguments: [1, 2, 3])
    func failedSync(_ number: Int) async throws {
        let plan = try plan()
        let batch = try fixture.batch(plan, remembers: true)
        let faults = SystemFaults([.init(.sync, first: number, .fail(EIO))])
        do {
            _ = try await SystemCalls.$faults.withValue(faults) {
                try await batch.run(0..<plan.count)
            }
            Issue.record("The failed sync was swallowed.")
        } catch BatchError.outlet(let cause) {
            #expect(cause.exitCode == 74 && cause.cause == Errno(EIO))
        }
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
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
        try cutOff()
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
