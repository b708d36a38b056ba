import Foundation
import Testing

@Suite("The source style")
struct SourceStyleTests {
    private static let ours = ["Sources", "Tests", "Benchmarks", "Datasets"]

    @Test(
        "no source contains a forced operation or an unfinished note",
        arguments: ["try!", "as!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME", "@test" + "able"])
    func noLooseEnds(word: String) throws {
        for folder in Self.ours {
            for file in try SourceTree.swiftFiles(in: folder)
            where !file.path.contains("PackageTests") {
                #expect(!file.text.contains(word), "\(file.path) contains \(word)")
            }
        }
    }

    @Test("no two test files share a name")
    func testFilesAreFound() throws {
        let paths = try SourceTree.swiftFiles(in: "Tests").map(\.path)
            .filter { $0.contains("Tests/") && !$0.hasSuffix("/main.swift") }
        for (name, same) in Dictionary(grouping: paths, by: { $0.split(separator: "/").last }) {
            #expect(same.count == 1, "\(name ?? ""): \(same)")
        }
    }

    @Test("every suite that waits for the tool has the trait .ownThreads")
    func waitsAreApart() throws {
        for file in try SourceTree.swiftFiles(in: "Tests/CommandTests") {
            for line in file.lines where line.hasPrefix("@Suite") {
                #expect(line.contains(".ownThreads"), "\(file.path): \(line)")
            }
        }
    }

    @Test("only the library imports Foundation, which would slow every start of the tool")
    func noFoundation() throws {
        let modules = try SourceTree.folders(in: "Sources").subtracting(["EmblemKit"])
        #expect(modules.count > 5)
        for module in modules {
            for file in try SourceTree.swiftFiles(in: "Sources/\(module)") {
                #expect(!file.imports.contains { $0.hasPrefix("Foundation") }, "\(file.path)")
            }
        }
    }

    @Test("symbols of the project's own C code have the prefix emb_")
    func ownSymbolsCarryThePrefix() throws {
        let modules = try SourceTree.folders(in: "Sources").filter {
            $0.hasPrefix("C") && !["CSystem", "CDrawing"].contains($0)
                && FileManager.default.fileExists(
                    atPath: SourceTree.root.appending(path: "Sources/\($0)/include").path)
        }
        #expect(!modules.isEmpty)
        for folder in modules.map({ "Sources/\($0)/include" }) {
            let headers = try SourceTree.files(in: folder, endings: ["h"])
            #expect(!headers.isEmpty, "\(folder)")
            for file in headers {
                for match in file.text.matches(of: /(?m)^[a-z][\w ]*?\*?(\w+)\(/) {
                    #expect(match.1.hasPrefix("emb_"), "\(file.path) declares \(match.1)")
                }
            }
        }
    }
}
