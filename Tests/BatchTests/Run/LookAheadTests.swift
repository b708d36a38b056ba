import Batch
import Engine
import Notation
import Render
import Support
import Testing
import Transport

@Suite("The look-ahead of a run")
struct LookAheadTests {
    @Test("a source of many rows is read once, and each row has its own record and files")
    func equalSourcesAreReadOnce() async throws {
        let fixture = try RunFixture()
        try fixture.folder.write(RunFixture.picture(30, 20), to: "one.png")
        let rows = (0..<200).map { "one.png,item-\($0)\n" }.joined()
        let report = try await fixture.run(fixture.plan(list: "source,id\n" + rows))
        #expect(report.counts.ok == 200)
        let items = try fixture.items()
        #expect(items.map(\.id) == (0..<200).map { "item-\($0)" })
        #expect(fixture.pictures().count == 400)
        let hashes = Set(items.compactMap { $0.json["outputs"]?.elements?.first?["sha256"]?.text })
        #expect(hashes.count == 1)
        #expect(try fixture.verification().isIntact)
    }

    @Test("rows with one source and different looks are each drawn in their own look")
    func differentLooksOfOneSource() async throws {
        let fixture = try RunFixture()
        try fixture.folder.write(RunFixture.picture(30, 20), to: "one.png")
        try await fixture.run(
            fixture.plan(
                list: """
                    source,id,appearance,layout
                    one.png,a,brand,small
                    one.png,b,danger,small
                    one.png,c,brand,"small,large"
                    """))
        let items = try fixture.items()
        #expect(items.map(\.paths.count) == [1, 1, 2])
        func hash(_ index: Int) -> String? {
            items[index].json["outputs"]?.elements?.first?["sha256"]?.stringValue
        }
        #expect(hash(0) != hash(1))
        #expect(hash(0) == hash(2))
        #expect(items.allSatisfy { $0.status == "ok" })
    }

    @Test("rows with one broken source each get their own placeholder and alternative")
    func sharedFailure() async throws {
        var fixture = try RunFixture()
        fixture.settings.recipe.placeholder = .initials
        try fixture.folder.write(RunFixture.picture(30, 20), to: "one.png")
        try fixture.folder.write("no picture", to: "bad.png")
        try await fixture.run(
            fixture.plan(
                list: """
                    source,id,label,alternatives
                    bad.png,a,Alpha Beta,
                    bad.png,b,Gamma Delta,
                    bad.png,c,Epsilon,one.png
                    """))
        let items = try fixture.items()
        #expect(items.map(\.placeholder) == ["initials:AB", "initials:GD", nil])
        #expect(items.map(\.status) == ["placeholder", "placeholder", "ok"])
        #expect(items.map(\.errorClass) == ["not_image", "not_image", nil])
    }

    @Test("rows that share name, source and look share their files")
    func sharedFiles() async throws {
        let fixture = try RunFixture()
        try fixture.folder.write(RunFixture.picture(30, 20), to: "one.png")
        let report = try await fixture.run(
            fixture.plan(list: "source\none.png\none.png\none.png\n"))
        #expect(report.counts.outputs == 6)
        #expect(fixture.pictures().count == 2)
        let items = try fixture.items()
        #expect(Set(items.map(\.paths)).count == 1)
    }
}
