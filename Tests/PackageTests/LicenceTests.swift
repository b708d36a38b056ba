import Foundation
import Testing

@Suite("Licences")
struct LicenceTests {
    // A statement about other files, not about this one. REUSE-IgnoreStart
    private static let header = "# SPDX-License-Identifier: Apache-2.0"
    // REUSE-IgnoreEnd

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    @Test("every file that states a licence states the same one")
    func oneLicence() throws {
        let licence = try Self.text("LICENSE")
        #expect(licence.contains("Apache License") && licence.contains("Version 2.0, January 2004"))
        #expect(try Self.text("LICENSES/Apache-2.0.txt") == licence)
        let all = try Self.text("REUSE.toml")
        #expect(all.contains("path = \"**\""))
        #expect(all.contains("SPDX-License-Identifier = \"Apache-2.0\""))
        #expect(try Self.text("Sources/Python/pyproject.toml").contains("license = \"Apache-2.0\""))
        #expect(try Self.text("Packaging/deb/copyright").contains("\nLicense: Apache-2.0\n"))
    }

    @Test("files that are distributed alone have a licence header")
    func headers() throws {
        let files =
            try SourceTree.files(in: "Sources/Python", endings: ["py"])
            + SourceTree.files(in: "Packaging", endings: ["sh", "py"])
            + SourceTree.files(in: "Tests/Install", endings: ["sh", "py"])
            + [
                SourceFile(
                    path: "Packaging/Containerfile", text: Self.text("Packaging/Containerfile"))
            ]
        #expect(files.count > 20)
        for file in files {
            #expect(file.lines.prefix(2).contains { $0 == Self.header }, "\(file.path)")
        }
    }

    @Test(
        "the credits list every library that is included or linked",
        arguments: [
            "ThumbHash", "RFC 6386", "T.81", "Mitchell", "Oklab", "Design Tokens",
            "Swift standard library",
            "Inter", "DejaVu", "Noto Sans", "Noto Color Emoji", "WenQuanYi", "libheif",
            "curl",
        ])
    func credits(name: String) throws {
        #expect(try Self.text("NOTICE").contains(name))
    }
}
