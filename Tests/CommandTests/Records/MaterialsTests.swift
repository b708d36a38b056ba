import Foundation
import Support
import Testing

@Suite("The list of materials", .ownThreads)
struct MaterialsTests {
    private struct Document: Decodable {
        let spdxVersion: String
        let packages: [Package]
        let relationships: [Relationship]
    }

    private struct Package: Decodable {
        let name: String
        let versionInfo: String
        let sourceInfo: String?
        let licenseDeclared: String
    }

    private struct Relationship: Decodable {
        let spdxElementId: String
        let relationshipType: String
        let relatedSpdxElement: String
    }

    private struct Formats: Decodable {
        let tool: String
        let libraries: [String: String]
    }

    private static func decoded<Value: Decodable>(_ ending: Tool.Ending) throws -> Value {
        #expect(ending.status == 0, "\(ending.errors)")
        return try JSONDecoder().decode(Value.self, from: Data(ending.output.utf8))
    }

    @Test("the list of materials has each library of formats in the same version")
    func agreesWithFormats() throws {
        let program = Tool.path(of: "emblem")
        let materials: Document = try Self.decoded(
            Tool.run(
                Repository.root.appending(path: "Packaging/sbom.py").path, [program],
                in: Repository.root.path))
        let formats: Formats = try Self.decoded(Tool.emblem(["formats", "--json"]))
        #expect(materials.spdxVersion == "SPDX-2.3")
        let tool = try #require(materials.packages.first)
        #expect("\(tool.name) \(tool.versionInfo)" == formats.tool)
        #expect(tool.licenseDeclared == "Apache-2.0")
        let sources = materials.packages.compactMap(\.sourceInfo).joined(separator: "\n")
        #expect(formats.libraries.count >= 12)
        for (name, version) in formats.libraries {
            // The installed version may have more digits. sbom.py compares them too, and `decoded`
            // expects that it succeeds.
            #expect(sources.contains("upstream \(version)"), "\(name) \(version)")
        }
        // Libraries that are loaded late are in no ELF header of the program; its own notes list
        // them.
        let opened = materials.relationships.filter { $0.relationshipType == "DEPENDS_ON" }
            .map(\.relatedSpdxElement)
        for name in ["libcurl4", "libheif1", "librsvg2-2", "libpangocairo-1.0-0"] {
            #expect(opened.contains("SPDXRef-deb-\(name)"), "\(opened)")
        }
    }
}
