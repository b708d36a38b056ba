import Support
import Testing

@Suite("A list that changes during a run", .ownThreads)
struct ChangedListCommandTests {
    @Test("a list that changes during a run has no effect on it")
    func changed() throws {
        let folder = try Pictures.mixedFolder()
        let rows = (0..<200).map { "in/acme.png,item-\(100_000 + $0)\n" }
        let text = "source,id\n" + rows.joined()
        try folder.write(text, to: "list.csv")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "--list", "list.csv", "-o", "out", "--layout", "small", "--jobs", "1"],
            in: folder.path)
        #expect(Waiting.until { !running.isRunning || folder.tree("out/small").count >= 5 })
        try folder.write(text.replacing("item-", with: "evil-"), to: "list.csv")
        let ending = running.wait()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(folder.tree("out/small").count == 200)
        #expect(folder.tree("out/small").allSatisfy { $0.hasPrefix("item-") })
    }
}
