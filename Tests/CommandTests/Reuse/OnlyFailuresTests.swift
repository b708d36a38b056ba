import Foundation
import Notation
import Support
import Testing

@Suite("emblem batch --only-failures", .ownThreads)
struct OnlyFailuresTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func rows(_ query: String, good: Bool) -> [(String, String)] {
        (0..<4).map { index in
            let name = good || index > 0 ? "disc-\(index).png" : "none-\(index).png"
            return ("disc-\(index)", Web.server.url("logged/\(name)?\(query)"))
        }
    }

    @Test("--only-failures runs only failed items, and keeps the others")
    func asksForFailures() throws {
        let rows = rows("only-failures", good: false)
        let first = try Web.batch(rows, Web.open, in: folder)
        #expect(first.status == 0, "\(first.errors)")
        let before = try folder.read("out/manifest.ndjson")
        let asked = Web.server.requests(for: "?only-failures").count
        let second = try Web.batch(rows, Web.open + ["--only-failures"], in: folder)
        #expect(second.status == 0, "\(second.errors)")
        #expect(Web.server.requests(for: "?only-failures").count == asked + 1)
        #expect(try folder.read("out/manifest.ndjson") == before)
        #expect(second.errors.contains("4 items unchanged (reused)\n"), "\(second.errors)")
        let record = try folder.json("out/run.json")
        #expect(record["reused"] == 4 && record["resumed"] == 0)
    }

    @Test("--only-failures is refused with --force, or if no run has ended")
    func refusals() throws {
        let rows = rows("refused-failures", good: true)
        let early = try Web.batch(rows, Web.open + ["--only-failures"], in: folder)
        #expect(early.status == 66, "\(early.errors)")
        let forced = try Web.batch(rows, Web.open + ["--only-failures", "--force"], in: folder)
        #expect(forced.status == 64, "\(forced.errors)")
    }

    @Test(
        "a list of failures is refused for the output folder that it comes from",
        arguments: ["csv", "json"])
    func listOfFailures(form: String) throws {
        let rows = rows("fed-\(form)", good: false)
        #expect(try Web.batch(rows, Web.open, in: folder).status == 0)
        let failures = try Tool.emblem(["failures", "out", "--\(form)"], in: folder.path)
        let list = "again.\(form)"
        try folder.write(failures.output, to: list)
        let options = ["--list", list, "--layout", "small"] + Web.open
        let same = try Tool.emblem(["batch", "-o", "out"] + options, in: folder.path)
        #expect(same.status == 64, "\(same.errors)")
        #expect(same.errors.contains("--only-failures"), "\(same.errors)")
        #expect(try ManifestText(folder).summary?["items"]?.intValue == 4)
        let other = try Tool.emblem(["batch", "-o", "other"] + options, in: folder.path)
        #expect(other.status == 0, "\(other.errors)")
    }
}
