import Batch
import Engine
import Support
import Synchronization
import System
import Testing
import Transport

@Suite("A run whose rows arrive while it draws")
struct ArrivingRowsTests {
    private typealias Columns = (id: String, source: String, badge: String?)

    private let fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(5)
    }

    private static func source(_ number: Int) -> String { "in/p\(1_000 + number).png" }

    /// Returns rows of which many want the same names, some of them the name of another row with its
    /// suffix.
    private static func rows(_ count: Int, _ random: inout SeededRandom) -> [Columns] {
        let suffix = ItemName.hash(of: source(1))
        let ids = ["logo", "Logo", "acme", "logo-\(suffix)", "logo-\(suffix)-2", "own"]
        return (0..<count).map { index in
            let id = ids[Int.random(in: 0..<ids.count, using: &random)]
            return (
                id == "own" ? "own-\(index)" : id, source(Int.random(in: 0..<5, using: &random)),
                Bool.random(using: &random) ? "3:info" : nil
            )
        }
    }

    private func plan(_ rows: [Columns]) throws -> BatchPlan {
        let lines = rows.map { "\($0.id),\($0.source),\($0.badge ?? "")\n" }
        return try fixture.plan(list: "id,source,badge\n" + lines.joined())
    }

    /// Runs rows one by one, with the history of earlier runs.
    ///
    /// - Parameters:
    ///   - breaksAt: The number of rows after which the rows end with an error.
    ///   - whenDrawn: Runs after all rows are drawn under their first names, before the last row
    ///     is known to be the last one.
    @discardableResult
    private func run(
        _ rows: [Columns], into out: String = "out", breaksAt: Int? = nil,
        whenDrawn: (@Sendable () -> Void)? = nil
    ) async throws -> BatchRun.Report {
        let counter = RunCounter()
        let draft = PlanDraft(options: PlanOptions(scratch: FilePath(fixture.folder.path)))
        let next = Mutex(0)
        return try await fixture.batch(
            BatchPlan(draft), into: out, counter: counter, remembers: true
        ).run(draft, in: FilePath(fixture.folder.path)) {
            let index = next.withLock { next in
                next += 1
                return next - 1
            }
            if index == breaksAt { return .failed }
            guard index < rows.count else {
                guard let whenDrawn else { return nil }
                while counter.now.done < rows.count, !Task.isCancelled { await Task.yield() }
                whenDrawn()
                return nil
            }
            var row = ListRow(line: index + 1, offset: 0)
            row.source = rows[index].source
            row.id = rows[index].id
            row.look[.badge] = rows[index].badge
            return .row(row)
        }
    }

    @Test("arriving rows make the same set as a list of the same rows", arguments: 0..<8)
    func same(round: Int) async throws {
        var random = SeededRandom(seed: TestSeed.value &+ UInt64(round))
        let rows = Self.rows(24, &random)
        let listed = try await fixture.run(plan(rows), into: "listed")
        let report = try await run(rows)
        #expect(report.ending == .finished && report.counts.done == rows.count)
        #expect(report.counts.ok == listed.counts.ok)
        #expect(try fixture.set() == fixture.set(in: "listed"), "seed \(TestSeed.value)")
        #expect(try fixture.verification().isIntact)
    }

    @Test("arriving rows that arrived in an earlier run are reused, and nothing is written")
    func again() async throws {
        var random = SeededRandom(seed: TestSeed.value)
        let rows = Self.rows(24, &random)
        try await run(rows)
        let stamps = fixture.stamps()
        for compacts in [false, true] {
            if compacts {
                let folder = try OutputFolder(FilePath(fixture.folder.path("out")))
                _ = try RunHistory(folder, compacts: true)
            }
            let report = try await run(rows)
            #expect(report.counts.reused == rows.count, "seed \(TestSeed.value)")
            #expect(fixture.stamps() == stamps)
        }
        let listed = try await fixture.runAgain(plan(rows))
        #expect(listed.counts.reused == rows.count)
    }

    @Test("arriving rows of which one is gone or new make the set of a first run")
    func changed() async throws {
        var random = SeededRandom(seed: TestSeed.value)
        let all = Self.rows(12, &random).map { row in
            (id: "\(row.id)-\(row.source.suffix(5))", source: row.source, badge: row.badge)
        }
        for (count, out) in [(12, "twelve"), (11, "eleven"), (12, "again")] {
            let rows = Array(all.prefix(count))
            try await run(rows)
            try await run(rows, into: out)
            let manifest = try fixture.folder.read("out/manifest.ndjson")
            #expect(try manifest == fixture.folder.read("\(out)/manifest.ndjson"), "\(out)")
        }
    }

    @Test(
        "arriving rows that end with an error leave a run that is continued",
        arguments: [0, 1, 9, 24])
    func broken(count: Int) async throws {
        var random = SeededRandom(seed: TestSeed.value)
        let rows = Self.rows(24, &random)
        let report = try await run(rows, breaksAt: count)
        #expect(report.ending == .canceled)
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
        let whole = try await run(rows)
        #expect(whole.ending == .finished)
        try await run(rows, into: "other")
        #expect(try fixture.set() == fixture.set(in: "other"), "seed \(TestSeed.value)")
    }

    @Test(
        "an output that is removed before its item gets its final name is drawn again",
        arguments: [1, .max])
    func removed(count: Int) async throws {
        let rows: [Columns] = [("logo", Self.source(0), nil), ("logo", Self.source(1), nil)]
        let listed = try await fixture.run(plan(rows), into: "listed")
        let other = ItemName.hash(of: Self.source(1))
        let folder = fixture.folder
        let report = try await run(rows) {
            let own = folder.tree("out").filter { $0.hasSuffix(".png") && !$0.contains(other) }
            for name in own.prefix(count) { folder.remove("out/\(name)") }
        }
        #expect(report.ending == .finished && report.counts.done == rows.count)
        #expect(report.counts.ok == listed.counts.ok)
        #expect(report.counts.outputs == listed.counts.outputs)
        #expect(try fixture.set() == fixture.set(in: "listed"))
        #expect(try fixture.verification().isIntact)
    }
}
