import Foundation
import Testing

@Suite("The path of one image in the Architecture page")
struct ImagePathTests {
    /// Returns the files of the table. A name without a folder is in the folder of the file before
    /// it. A name whose folder does not exist below `Sources` is in the module of the file before
    /// it.
    private static func files() throws -> [SourceFile] {
        let page = try text("Sources/EmblemKit/EmblemKit.docc/Architecture.md")
        let section = try #require(page.components(separatedBy: "## The path of one image").last)
        let rows = try #require(section.components(separatedBy: "\n### ").first)
            .split(separator: "\n").filter { $0.hasPrefix("| `") }
        var files: [SourceFile] = []
        var (folder, module) = ("", "")
        for row in rows {
            for match in row.split(separator: "|")[0].matches(of: /`([^`]+)`/) {
                var path = String(match.1)
                if !path.contains("/") {
                    path = "\(folder)/\(path)"
                } else if !exists("Sources/\(path)") {
                    path = "\(module)/\(path)"
                }
                module = String(path.prefix { $0 != "/" })
                folder = (path as NSString).deletingLastPathComponent
                files.append(SourceFile(path: path, text: try text("Sources/\(path)")))
            }
        }
        return files
    }

    @Test("every file on the path of an image declares a type that an earlier file on it names")
    func chain() throws {
        let files = try Self.files()
        for (index, file) in files.enumerated().dropFirst() {
            let types = Set(
                file.text.matches(
                    of: /\b(?:struct|class|enum|actor|protocol|extension) (\w+)/
                ).map { String($0.1) })
            let isNamed = files[..<index].contains { earlier in
                earlier.text.matches(of: /\b[A-Z]\w+/).contains { types.contains(String($0.0)) }
            }
            #expect(isNamed, "\(file.path)")
        }
    }

    @Test("a local image takes at most 45 files to follow, and one from a URL at most 12 more")
    func length() throws {
        let files = try Self.files()
        let network = files.filter { $0.path.hasPrefix("Transport/Network/") }
        #expect((1...12).contains(network.count))
        #expect((30...45).contains(files.count - network.count), "\(files.count)")
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }
}
