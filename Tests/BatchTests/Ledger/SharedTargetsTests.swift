import Batch
import Engine
import Notation
import Support
import Targets
import Testing
import Transport

@Suite("Target folders of several sets")
struct SharedTargetsTests {
    private let fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(2)
    }

    /// Runs a list of one picture into `out`, with its files in the folder `target`.
    private func run(
        _ out: String, name: String, shares: Bool = false, prefix: String = ""
    ) async throws {
        try fixture.folder.write("source,id\nin/p1000.png,\(name)\n", to: "\(name).csv")
        let plan = try BatchPlan(
            [.list(fixture.folder.path("\(name).csv"))],
            options: PlanOptions(namePrefix: prefix, scratch: FilePath(fixture.folder.path)))
        let output = try OutputFolder(FilePath(fixture.folder.path(out)))
        let spot = TargetSpot(
            FilesTarget { NameTemplate.standard.path(of: $0) }, nil,
            at: .elsewhere(FilePath(fixture.folder.path("target"))))
        let outlet = Outlet(
            folder: output, templateText: nil, targets: [try spot.open(in: output)],
            hasOneLayout: false, namePrefix: prefix, sharesTargets: shares)
        _ = try await BatchRun(
            plan: plan, context: fixture.context, outlet: outlet, counter: RunCounter(),
            history: try RunHistory(output), orphans: .remove(atMost: .percent(100))
        ).run(0..<plan.count)
    }

    private func isRefused(
        _ out: String, name: String, shares: Bool = false
    ) async throws -> Bool {
        do {
            try await run(out, name: name, shares: shares)
            return false
        } catch BatchError.heldTarget {
            return true
        }
    }

    @Test("a target folder belongs to one set, or to several that all share it")
    func claims() async throws {
        try await run("a", name: "one")
        #expect(try await isRefused("b", name: "two"))
        #expect(try await isRefused("b", name: "two", shares: true))
        try await run("a", name: "one", shares: true)
        #expect(try await isRefused("b", name: "two"))
        #expect(try await isRefused("b", name: "one", shares: true))
        // Names that differ only in case collide, because some file systems ignore case.
        #expect(try await isRefused("b", name: "ONE", shares: true))
        try await run("b", name: "two", shares: true)
        #expect(
            fixture.folder.tree("target") == [
                "large/one.png", "large/two.png", "small/one.png", "small/two.png",
            ])
        // Pruning removes files of this set only.
        try await run("a", name: "three", shares: true)
        #expect(
            fixture.folder.tree("target") == [
                "large/three.png", "large/two.png", "small/three.png", "small/two.png",
            ])
        try await run("b", name: "one", shares: true, prefix: "x_")
        #expect(fixture.folder.exists("target/small/x_one.png"))
        #expect(try await isRefused("a", name: "three"))
        fixture.folder.remove("b")
        try await run("a", name: "three")
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

    @Test(
        "a prefix precedes the first part of a name and follows the rules for names",
        arguments: [
            ("acme", "bank_", "bank_acme"), ("a/x", "bank_", "bank_a/x"), ("x", "a b/", "a-b-x"),
            ("x", "..", "x"),
            (
                String(repeating: "x", count: 120), "b", "b" + String(repeating: "x", count: 119)
            ),
        ])
    func prefix(of name: String, prefix: String, result: String) {
        #expect(ItemName.prefixed(name, prefix) == result)
    }
}
