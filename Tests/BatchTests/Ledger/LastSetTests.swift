import Artwork
import Batch
import Engine
import Render
import Support
import Testing
import Transport

@Suite("A run in which no item shows its source")
struct LastSetTests {
    private var fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        try fixture.fill(2)
    }

    private let list = "source,id\nin/p1000.png,a\nin/p1001.png,b\n"

    private func removeSources() {
        for name in fixture.folder.names(in: "in") { fixture.folder.remove("in/\(name)") }
    }

    @Test("it makes placeholders in an empty folder")
    func first() async throws {
        removeSources()
        let report = try await fixture.runAgain(fixture.plan(list: list))
        #expect(report.counts.placeholders == 2 && !report.keepsLastSet)
    }

    @Test("it changes no file of the last set, whatever the list and the options are")
    mutating func kept() async throws {
        try await fixture.runAgain(fixture.plan(list: list))
        let (set, stamps) = (try fixture.set(), fixture.stamps())
        removeSources()
        fixture.settings.recipe.placeholder = .none
        for text in [list, "source,id\nin/p1001.png,c\n", "source,id,layout\nin/x.png,a,none\n"] {
            let report = try await fixture.runAgain(fixture.plan(list: text))
            #expect(report.keepsLastSet && report.counts.failed == report.counts.done)
            #expect(try fixture.set() == set && fixture.stamps() == stamps)
        }
        try fixture.fill(2)
        fixture.settings.recipe.placeholder = .icon(.accountBalance)
        let report = try await fixture.runAgain(fixture.plan(list: list))
        #expect(!report.keepsLastSet && report.counts.ok == 2)
        #expect(try fixture.set() == set)
    }

    @Test("one item that shows its source makes the placeholders of all others")
    func released() async throws {
        try fixture.fill(9)
        let rows = (0..<9).map { "in/p\(1_000 + $0).png,i\($0)\n" }.joined()
        let plan = try fixture.plan(list: "source,id\n" + rows)
        try await fixture.runAgain(plan)
        removeSources()
        try fixture.folder.write(RunFixture.picture(30, 30), to: "in/p1005.png")
        let report = try await fixture.runAgain(plan)
        #expect(report.counts.ok == 1 && report.counts.placeholders == 8 && !report.keepsLastSet)
        try await fixture.run(plan, into: "fresh")
        #expect(try fixture.set() == fixture.set(in: "fresh"))
    }
}
