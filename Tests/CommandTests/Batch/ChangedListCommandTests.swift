import Foundation
import Support
import Testing

@Suite("A list that changes during a run", .ownThreads)
struct ChangedListCommandTests {
    @Test("a list that changes during a run ends it with 66 and the row, without partial rows")
    func changed() throws {
        let folder = try Pictures.mixedFolder()
        let rows = (0..<40_000).map { "in/acme.png,item-\(100_000 + $0)\n" }
        let text = "source,id\n" + rows.joined()
        try folder.write(text, to: "list.csv")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "--list", "list.csv", "-o", "out", "--layout", "small", "--jobs", "1"],
            in: folder.path)
        #expect(Waiting.until { !running.isRunning || folder.tree("out/small").count >= 20 })
        let file = try FileHandle(forWritingTo: URL(filePath: folder.path("list.csv")))
        try file.write(contentsOf: Data(text.replacing("item-", with: "evil-").utf8))
        try file.close()
        let ending = running.wait()
        #expect(ending.status == 66, "\(ending.errors)")
        #expect(ending.errors.contains("list.csv, line "))
        #expect(ending.errors.contains("changed while it was read"))
        #expect(!folder.exists("out/manifest.ndjson"))
        #expect(!folder.tree("out/small").isEmpty)
        for name in folder.tree("out/small") { #expect(name.hasPrefix("item-"), "\(name)") }
        let journal = try folder.text("out/.emblem/journal.ndjson")
        #expect(!journal.contains("evil-"))
    }
}
