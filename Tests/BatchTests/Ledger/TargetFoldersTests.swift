import Batch
import Engine
import Notation
import Support
import Targets
import Testing
import Transport

@Suite("Target folders of several sets")
struct TargetFoldersTests {
    private let fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(2)
    }

    /// Runs a list of one picture into `out`, with its files in the folder `target`.
    private func run(
        _ out: String, name: String
    ) async throws {
        try fixture.folder.write("source,id\nin/p1000.png,\(name)\n", to: "\(name).csv")
        let plan = try BatchPlan(
            [.list(fixture.folder.path("\(name).csv"))],
            options: PlanOptions())
        let output = try OutputFolder(FilePath(fixture.folder.path(out)))
        let spot = TargetSpot(
            FilesTarget { NameTemplate.standard.path(of: $0) }, nil,
            at: .elsewhere(FilePath(fixture.folder.path("target"))))
        let outlet = Outlet(
            folder: output, templateText: nil, targets: [try spot.open(in: output)],
            hasOneLayout: false)
        _ = try await BatchRun(
            plan: plan, context: fixture.context, outlet: outlet, counter: RunCounter(),
            history: try RunHistory(output), orphans: .remove(atMost: 100)
        ).run(0..<plan.count)
    }

    private func isRefused(
        _ out: String, name: String
    ) async throws -> Bool {
        do {
            try await run(out, name: name)
            return false
        } catch BatchError.heldTarget {
            return true
        }
    }

    @Test("a target folder belongs to one set until that set is gone")
    func claims() async throws {
        try await run("a", name: "one")
        #expect(try await isRefused("b", name: "two"))
        try await run("a", name: "three")
        #expect(
            fixture.folder.tree("target") == ["large/three.png", "small/three.png"])
        fixture.folder.remove("a")
        try await run("b", name: "two")
        #expect(try await isRefused("a", name: "one"))
    }

    @Test("the output folder of a set cannot be the target folder of another")
    func output() async throws {
        try await run("target", name: "one")
        #expect(try await isRefused("b", name: "two"))
    }

    @Test("a target folder cannot be the output folder of another set, and neither set is changed")
    func target() async throws {
        try await run("a", name: "one")
        #expect(try await isRefused("target", name: "two"))
        try await run("a", name: "one")
    }
}
