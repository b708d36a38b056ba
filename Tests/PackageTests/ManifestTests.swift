import Foundation
import Testing

@Suite("The package as another one's dependency")
struct ManifestTests {
    @Test("whoever fetches the package gets no flag that SwiftPM refuses, and the command plugin")
    func flags() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "\(UUID())/.build/checkouts/emblem")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(
            at: SourceTree.root.appending(path: "Package.swift"),
            to: folder.appending(path: "Package.swift"))
        let fetched = try SourceTree.run([
            "swift", "package", "--package-path", folder.path, "dump-package",
        ])
        #expect(fetched.status == 0, "\(fetched.output)")
        #expect(fetched.output.contains("\"EmblemKit\""))
        #expect(fetched.output.contains("\"EmblemCommand\""))
        #expect(!fetched.output.contains("unsafeFlags"))
    }
}
