import Foundation
import Testing

@Suite("The package as a dependency")
struct ManifestTests {
    @Test("a dependent package gets the command plugin and no flag that SwiftPM refuses")
    func flags() throws {
        let fetched = try Self.manifest(beside: "repositories")
        #expect(fetched.contains("\"EmblemKit\""))
        #expect(fetched.contains("\"EmblemCommand\""))
        #expect(!fetched.contains("unsafeFlags"))
        #expect(!fetched.contains("\"emblem-floor\""))
    }

    @Test("a clone in a folder named checkouts is built like any other clone")
    func clone() throws {
        let cloned = try Self.manifest(beside: "notes")
        #expect(cloned.contains("unsafeFlags"))
        #expect(cloned.contains("\"emblem-floor\""))
    }

    /// Returns SwiftPM's dump of the manifest in `checkouts/emblem`, next to another folder.
    private static func manifest(beside other: String) throws -> String {
        let home = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        let folder = home.appending(path: ".build/checkouts/emblem")
        for made in [folder, home.appending(path: ".build/\(other)")] {
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: home) }
        try FileManager.default.copyItem(
            at: SourceTree.root.appending(path: "Package.swift"),
            to: folder.appending(path: "Package.swift"))
        let read = try SourceTree.run([
            "swift", "package", "--package-path", folder.path, "dump-package",
        ])
        #expect(read.status == 0, "\(read.output)")
        return read.output
    }
}
