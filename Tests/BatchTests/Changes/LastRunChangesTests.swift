import Batch
import Notation
import Support
import Testing
import Transport

/// Runs changed lists several times into one output folder.
@Suite("Changes since the last run")
struct LastRunChangesTests {
    private let fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        // The pictures differ in shape, so that no lint finding reports two of them as similar.
        let sizes = [(48, 48), (48, 12), (12, 48), (40, 20), (20, 40)]
        for (number, (width, height)) in sizes.enumerated() {
            try fixture.folder.write(
                RunFixture.picture(width, height, red: UInt8(number * 60)),
                to: "in/p\(1_000 + number).png")
        }
    }

    /// Runs over rows of an id and a picture.
    private func run(_ rows: [(String, String)]) async throws -> SetChanges? {
        let list = "source,id\n" + rows.map { "in/\($1).png,\($0)\n" }.joined()
        let report = try await fixture.runAgain(fixture.plan(list: list))
        let bytes = try fixture.folder.read("out/run.json")
        let record = try JSONParser.parse(bytes.span)["changes"]
        #expect((record == nil) == (report.changes == nil))
        for kind in SetChanges.Kind.allCases where report.changes != nil {
            #expect(record?[kind.rawValue]?.intValue == report.changes?[kind])
        }
        return report.changes
    }

    @Test("a run counts the items that are new, changed, removed, failing or repaired")
    func counts() async throws {
        let first = [("a", "p1000"), ("b", "p1001"), ("c", "p1002"), ("d", "none"), ("e", "p1004")]
        #expect(try await run(first) == nil)
        #expect(try await run(first) == SetChanges(unchanged: 5))
        let second = [
            ("n", "p1000"), ("a", "p1001"), ("b", "none"), ("d", "p1003"), ("e", "p1004"),
        ]
        let changes = try await run(second)
        #expect(changes?.words == "1 new, 1 changed, 1 gone, 1 now fails, 1 repaired")
        #expect(changes?.unchanged == 1)
        #expect(try await run(second)?.words == nil)
        // A new order of the rows is not a change.
        #expect(try await run(second.reversed())?.words == nil)
    }

    @Test("a picture that is drawn again with the same bytes is not a change")
    func drawnAgain() async throws {
        let rows = [("a", "p1000"), ("b", "p1001")]
        #expect(try await run(rows) == nil)
        fixture.folder.remove("out/large/a.png")
        #expect(try await run(rows)?.words == nil)
    }

    @Test(
        "a run does not compare itself with a last manifest that cannot be read",
        arguments: ["", "{}\n", "HEAD", "HEAD{\n", "HEAD{\"type\":\"summary\",\"items\":9}\n"])
    func damaged(manifest: String) async throws {
        let rows = [("a", "p1000"), ("b", "p1001")]
        #expect(try await run(rows) == nil)
        let head = try fixture.folder.text("out/manifest.ndjson").prefix { $0 != "\n" } + "\n"
        try fixture.folder.write(
            manifest.replacing("HEAD", with: head), to: "out/manifest.ndjson")
        #expect(try await run(rows) == nil)
        #expect(try await run(rows)?.unchanged == 2)
    }

    @Test("a run after a stopped one is compared with the last completed run")
    func stopped() async throws {
        #expect(try await run([("a", "p1000"), ("b", "p1001")]) == nil)
        let batch = try fixture.batch(
            fixture.plan(list: "source,id\nin/p1002.png,a\nin/p1003.png,c\n"), remembers: true)
        let task = Task { try await batch.run(0..<2) }
        task.cancel()
        #expect(try await task.value.ending == .canceled)
        let changes = try await run([("a", "p1002"), ("c", "p1003")])
        #expect(changes?.words == "1 new, 1 changed, 1 gone")
    }
}
