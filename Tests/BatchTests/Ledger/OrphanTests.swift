import Batch
import Engine
import Notation
import Support
import System
import Testing
import Transport

@Suite("Files of earlier runs")
struct OrphanTests {
    private let fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    private func run(
        _ list: String, prunes: Bool = false, most: Double = 100,
        startsOver: Bool = false
    ) async throws -> BatchRun.Report {
        let plan = try fixture.plan(list: list)
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        return try await BatchRun(
            plan: plan, context: fixture.context,
            outlet: try Outlet(folder: output, templateText: nil), counter: RunCounter(),
            history: try RunHistory(output), startsOver: startsOver,
            orphans: prunes ? .remove(atMost: most) : .count
        ).run(0..<plan.count)
    }

    /// The files below OUT except records.
    private func files() -> Set<String> {
        Set(fixture.folder.tree("out").filter { $0.contains("/") })
    }

    @Test("outputs of earlier runs are counted until they are removed together with empty folders")
    func pruned() async throws {
        try fixture.fill(3)
        _ = try await run("source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        let report = try await run("source,id\nin/p1000.png,a\nin/p1002.png,c\n")
        #expect(report.orphans?.paths == ["large/b.png", "small/b.png"])
        #expect(files().contains("small/b.png"))
        // Files of a run before the last one are known too.
        #expect(try await run("source,id\nin/p1000.png,a\n").orphans?.paths.count == 4)
        #expect(
            try await run("source,id\nin/p1000.png,a\n", prunes: true).orphans?.paths.count == 4)
        #expect(files() == ["small/a.png", "large/a.png"])
        #expect(try await run("source,id\nin/p1000.png,a\n").orphans?.paths == [])
        _ = try await run("source,id,layout\nin/p1000.png,a,small\n", prunes: true)
        #expect(!fixture.folder.names(in: "out").contains("large"))
    }

    @Test("outputs of earlier runs that a user changed, or added, are kept")
    func foreign() async throws {
        try fixture.fill(2)
        _ = try await run("source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        let altered = try fixture.folder.read("out/small/b.png").map { $0 ^ 1 }
        try fixture.folder.write(altered, to: "out/small/b.png")
        // The file has the same bytes with a new time.
        try fixture.folder.write(fixture.folder.read("out/large/b.png"), to: "out/large/b.png")
        try fixture.folder.write(Array("mine".utf8), to: "out/large/z.png")
        let report = try await run("source,id\nin/p1000.png,a\n", prunes: true)
        #expect(report.orphans?.paths == ["large/b.png"])
        #expect(files() == ["small/a.png", "large/a.png", "small/b.png", "large/z.png"])
    }

    private static let brakes: [(most: Double, withheld: Orphans.Withheld?)] = [
        (74, .tooMany(6, of: 8)), (75, nil),
    ]

    @Test(
        "outputs of earlier runs are kept if more of them than allowed would be removed",
        arguments: brakes)
    func brake(most: Double, withheld: Orphans.Withheld?) async throws {
        try fixture.fill(5)
        _ = try await run(
            "source\nin/p1000.png\nin/p1001.png\nin/p1002.png\nin/p1003.png\n")
        // A new picture in the same run does not raise the limit for removals.
        let list = "source\nin/p1000.png\nin/p1004.png\n"
        let report = try await run(list, prunes: true, most: most)
        #expect(report.orphans?.withheld == withheld)
        #expect(report.orphans?.paths.count == 6)
        #expect(files().count == (withheld == nil ? 4 : 10))
        // The files that the refused run made do not raise the limit either.
        let again = try await run(list, prunes: true, most: most)
        #expect(again.orphans?.withheld == withheld)
        let third = try await run(list, prunes: true)
        #expect(third.orphans?.withheld == nil && files().count == 4)
        #expect(!fixture.folder.exists("out/.emblem/prune-base"))
    }

    @Test("outputs of earlier runs are kept after a run without items")
    func noItem() async throws {
        try fixture.fill(1)
        _ = try await run("source\nin/p1000.png\n")
        for _ in 0..<2 {
            let report = try await run("source\n", prunes: true)
            #expect(report.orphans?.withheld == .noItem)
            #expect(files().count == 2)
        }
    }

    @Test("outputs of earlier runs are kept if most of the local sources are missing")
    func missingSources() async throws {
        try fixture.fill(3)
        let list = "source,placeholder\nin/p1000.png,none\nin/p1001.png,none\nin/p1002.png,none\n"
        _ = try await run(list)
        fixture.folder.remove("in/p1000.png")
        fixture.folder.remove("in/p1001.png")
        let report = try await run(list, prunes: true)
        #expect(report.orphans?.withheld == .missingSources(2, of: 3))
        #expect(files().count == 6)
        try fixture.fill(2)
        #expect(try await run(list, prunes: true).orphans?.paths == [])
        fixture.folder.remove("in/p1000.png")
        #expect(try await run(list, prunes: true).orphans?.withheld == nil)
        #expect(files().count == 4)
    }

    @Test("outputs of earlier runs whose bytes changed are counted separately, once")
    func changed() async throws {
        try fixture.fill(2)
        _ = try await run("source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        try fixture.folder.write("mine", to: "out/small/b.png")
        let report = try await run("source,id\nin/p1000.png,a\n", prunes: true)
        #expect(report.orphans?.paths == ["large/b.png"] && report.orphans?.changedCount == 1)
        #expect(try fixture.folder.text("out/small/b.png") == "mine")
        let again = try await run("source,id\nin/p1000.png,a\n", prunes: true)
        #expect(again.orphans?.paths == [] && again.orphans?.changedCount == 0)
    }

    /// Leaves the folder of a run that was killed after the files of the first item, but before its
    /// journal line.
    private func killed(_ list: String) async throws {
        let plan = try fixture.plan(list: list)
        let output = try OutputFolder(FilePath(fixture.folder.path("living")))
        let path = fixture.folder.path
        _ = try await BatchRun(
            plan: plan, context: fixture.context,
            outlet: try Outlet(folder: output, templateText: nil), counter: RunCounter(),
            history: try RunHistory(output),
            observer: { _ in
                do {
                    let copy = try Tool.run("/bin/cp", ["-an", "living", "out"], in: path)
                    #expect(copy.status == 0, "\(copy.errors)")
                } catch {
                    Issue.record(error)
                }
            }
        ).run(0..<plan.count)
    }

    @Test("outputs of a killed run are counted even if they are not in its journal yet")
    func unrecorded() async throws {
        try fixture.fill(2)
        try await killed("source,id\nin/p1000.png,a\n")
        #expect(files() == ["small/a.png", "large/a.png"])
        let other = "source,id\nin/p1001.png,b\n"
        #expect(try await run(other).orphans?.paths == ["large/a.png", "small/a.png"])
        // The files stay known until they are removed. A file with other bytes under one of their
        // names does not count as such a file.
        try fixture.folder.write(Array("mine".utf8), to: "out/small/a.png")
        #expect(try await run(other).orphans?.paths == ["large/a.png"])
        #expect(try await run(other, prunes: true).orphans?.paths == ["large/a.png"])
        #expect(files() == ["small/a.png", "small/b.png", "large/b.png"])
        #expect(try await run(other).orphans?.paths == [])
    }

    @Test("outputs of a killed run that the next run makes again are not counted")
    func remade() async throws {
        try fixture.fill(1)
        let list = "source,id\nin/p1000.png,a\n"
        try await killed(list)
        #expect(try await run(list).orphans?.paths == [])
        #expect(files() == ["small/a.png", "large/a.png"])
    }

    @Test("outputs of earlier runs are still known if their item continues without them")
    func changedItem() async throws {
        try fixture.fill(2)
        let list = "source,id,placeholder\nin/p1000.png,a,none\nin/p1001.png,b,\n"
        _ = try await run(list)
        fixture.folder.remove("in/p1000.png")
        let left = ["large/a.png", "small/a.png"]
        for _ in 0..<2 { #expect(try await run(list).orphans?.paths == left) }
        #expect(try await run(list, prunes: true).orphans?.paths == left)
        #expect(files() == ["small/b.png", "large/b.png"])
        #expect(try await run(list).orphans?.paths == [])
    }

    @Test("outputs of earlier runs that another item uses are kept")
    func shared() async throws {
        try fixture.fill(1)
        _ = try await run("source,id\nin/p1000.png,a\nin/p1000.png,a\n")
        let report = try await run("source,id\nin/p1000.png,a\n", prunes: true)
        #expect(report.orphans?.paths == [])
        #expect(files() == ["small/a.png", "large/a.png"])
    }

    @Test("a run that starts over still knows the outputs of earlier runs")
    func startingOver() async throws {
        try fixture.fill(2)
        _ = try await run("source,id\nin/p1000.png,a\nin/p1001.png,b\n")
        let report = try await run("source,id\nin/p1000.png,a\n", prunes: true, startsOver: true)
        #expect(report.orphans?.paths.count == 2)
        #expect(files() == ["small/a.png", "large/a.png"])
    }

    @Test("over two hundred edits of a list, exactly the outputs of earlier runs are removed")
    func manyEdits() async throws {
        var random = SeededRandom(seed: TestSeed.value)
        try fixture.fill(6, side: 8)
        let layouts = ["", "small", "large"]
        var rows: [[Int]] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !rows.isEmpty:
                rows.remove(at: Int.random(in: 0..<rows.count, using: &random))
            case 1 where !rows.isEmpty: rows.shuffle(using: &random)
            default:
                rows.append([
                    Int.random(in: 0..<6, using: &random), Int.random(in: 0..<4, using: &random),
                    Int.random(in: 0..<3, using: &random),
                ])
                if rows.count > 6 { rows.removeFirst() }
            }
            let text = rows.map { "in/p\(1_000 + $0[0]).png,i\($0[1]),\(layouts[$0[2]])\n" }
            let prunes = Bool.random(using: &random)
            let before = files()
            let report = try await run(
                "source,id,layout\n" + text.joined(), prunes: prunes)
            let made = try Set(fixture.items().flatMap(\.paths))
            let gone = before.subtracting(made)
            #expect(Set(report.orphans?.paths ?? []) == gone)
            #expect(files() == (prunes && !rows.isEmpty ? made : made.union(before)))
        }
    }
}
