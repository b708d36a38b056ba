import Foundation
import Testing

@Suite("The version number")
struct VersionTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    @Test("the tool, the changelog and the Python package have the same version")
    func isOne() throws {
        let source = try Self.text("Sources/Batch/Records/ToolVersion.swift")
        let number = try #require(source.firstMatch(of: /number = "([0-9.]+)"/)).1
        let changes = try Self.text("CHANGELOG.md")
        #expect(try #require(changes.firstMatch(of: /(?m)^## ([0-9.]+)/)).1 == number)
        let package = try Self.text("Sources/Python/emblemkit/__init__.py")
        #expect(try #require(package.firstMatch(of: /__version__ = "([0-9.]+)"/)).1 == number)
        let build = try Self.text("Sources/Python/pyproject.toml")
        #expect(build.contains("dynamic = [\"version\"]"))
        #expect(build.contains("attr = \"emblemkit.__version__\""))
    }

    @Test("no other file states the version")
    func isStatedOnce() throws {
        let source = try Self.text("Sources/Batch/Records/ToolVersion.swift")
        let number = try #require(source.firstMatch(of: /number = "([0-9.]+)"/)).1
        let stating = [
            "Sources/Batch/Records/ToolVersion.swift", "Sources/Python/emblemkit/__init__.py",
        ]
        let files =
            try SourceTree.files(in: "Sources", endings: ["swift", "py", "toml", "c", "h"])
            + SourceTree.files(in: "Packaging", endings: ["sh", "py", "in"])
        for file in files where !stating.contains(file.path) {
            // Comments and examples may mention a version.
            for line in file.lines where line.contains("\"\(number)\"") {
                Issue.record("\(file.path): \(line)")
            }
        }
    }
}
