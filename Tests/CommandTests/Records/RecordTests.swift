import Foundation
import Notation
import Support
import Testing

@Suite("Records and documented promises", .ownThreads)
struct RecordTests {
    @Test("every damaged or hostile file has its documented outcome, and the run continues")
    func brokenFiles() throws {
        let folder = try ScratchFolder()
        let unpacked = try Tool.run(
            "/usr/bin/tar",
            ["-xzf", Repository.path("Tests/Fixtures/broken.tar.gz"), "-C", folder.path])
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        let run = try Tool.emblem(
            ["batch", "--list", "broken/broken.txt", "-o", "out", "--layout", "small"],
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let expected = try folder.json("broken/expected.json")
        let manifest = try ManifestText(folder)
        let members = try #require(expected.members)
        #expect(manifest.items.count == members.count)
        for item in manifest.items {
            let source = item["source"]?.stringValue ?? ""
            let outcome = item[path: ["error", "class"]]?.stringValue ?? "ok"
            #expect(outcome == expected[source]?.stringValue, "\(source)")
            #expect(item["outputs"]?.elements?.count == 1, "\(source)")
        }
    }
}
