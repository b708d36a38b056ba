import Foundation
import Testing

@Suite("Links between pages")
struct PageTests {
    @Test("every link on every page of the repository has a target")
    func links() throws {
        let top = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
            .filter { $0.hasSuffix(".md") }
        let below = try ["Sources", "Tests", "Benchmarks", "Datasets", "Packaging"].flatMap {
            folder in
            try SourceTree.files(in: folder, endings: ["md", "tutorial"]).map(\.path)
        }
        #expect(top.contains("README.md") && below.count > 20)
        let check = try SourceTree.run(["python3", "Tests/Docs/links.py", "pages"] + top + below)
        #expect(check.status == 0, "\(check.output)")
    }

    @Test("a link to a missing heading or page is found")
    func missing() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).docc")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appending(path: "page.md")
        let text = """
            # One
            ## And two
            [a](gone/away.md) [b](#and-two) [c](#and-three) [d](https://no_host/) <doc:Nowhere>
            `[e](f)` [g](https://host.example/h?i=j#k)
            """
        try Data(text.utf8).write(to: page)
        let check = try SourceTree.run(["python3", "Tests/Docs/links.py", "pages", page.path])
        #expect(check.status == 1)
        #expect(check.output.hasSuffix("1 pages, 6 links, 4 broken\n"), "\(check.output)")
        for name in ["gone/away.md", "#and-three", "https://no_host/", "Nowhere.md"] {
            #expect(check.output.contains("\(name)\n"), "\(name)")
        }
    }
}
