import Foundation
import Testing

@Suite("The source style")
struct SourceStyleTests {
    private static let ours = ["Sources", "Tests", "Benchmarks", "Datasets"]

    /// The formatter breaks code at 100 columns; a text that cannot be broken may be longer.
    private static let columnsLimit = 150

    @Test("no line exceeds the column limit")
    func linesStayShort() throws {
        for folder in Self.ours {
            for file in try SourceTree.files(in: folder, endings: ["swift", "c", "h"]) {
                for (number, line) in file.lines.enumerated() where line.count > Self.columnsLimit {
                    Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
                }
            }
        }
    }

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

    @Test("no source file is named Helper or Util")
    func noDrawers() throws {
        for file in try SourceTree.swiftFiles(in: "Sources") {
            let name = file.path.split(separator: "/").last ?? ""
            #expect(!name.contains("Helper") && !name.contains("Util"), "\(file.path)")
        }
    }

    @Test("symbols of the project's own C code have the prefix emb_")
    func ownSymbolsCarryThePrefix() throws {
        for folder in [
            "CShims", "CSandbox", "CDeflate", "CJPEGScaled", "CWebPLossy",
            "CCurlShims", "CKernels",
        ].map({
            "Sources/\($0)/include"
        }) {
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
