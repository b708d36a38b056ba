import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Files that runs leave in output folders", .ownThreads)
struct LeftoverTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for (name, side) in [("a", 20), ("b", 30)] {
            try folder.write(
                try Pictures.disc(Color(red: 10, green: 95, blue: 255), width: side, height: side),
                to: "in/\(name).png")
        }
    }

    private func batch(_ target: String, _ more: String...) throws -> Tool.Ending {
        try Tool.emblem(
            ["batch", "in", "-o", "out", "--target", target, "--layout", "small,large"] + more,
            in: folder.path)
    }

    private func orphans() throws -> [String] {
        let check = try Tool.emblem(["verify", "out", "--json"], in: folder.path)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let json = try JSONParser.parse(Array(check.output.utf8).span)
        let paths = json["orphans"]?.elements?.compactMap(\.stringValue) ?? []
        return paths.map { path in
            #expect(path.hasPrefix("/"))
            return path.components(separatedBy: "/dist/").dropFirst().first.map { "dist/\($0)" }
                ?? path
        }
    }

    @Test(
        "verify names leftovers of runs next to OUT, and no other file",
        arguments: ["files", "xcassets", "android", "web"])
    func earlierRuns(kind: String) throws {
        #expect(try batch("\(kind)=dist").status == 0)
        let before = Set(folder.tree("dist"))
        #expect(try orphans().isEmpty)
        folder.remove("in/b.png")
        let counted = try batch("\(kind)=dist")
        #expect(counted.status == 0, "\(counted.errors)")
        try folder.write("mine", to: "dist/mine.txt")
        let left = try orphans()
        let first = try #require(left.first)
        #expect(counted.errors.contains("\(left.count) files of earlier runs"), "\(counted.errors)")
        #expect(left.allSatisfy { before.contains(String($0.dropFirst("dist/".count))) }, "\(left)")
        // A leftover file that the user has changed belongs to the user.
        try folder.write("mine, too", to: first)
        #expect(try orphans() == Array(left.dropFirst()))
        #expect(try batch("\(kind)=dist", "--prune").status == 0)
        #expect(try orphans().isEmpty)
    }

    @Test("verify names a leftover of an item that wrote only some of its files")
    func unfinished() throws {
        folder.makeFolder("dist/large/b.png")
        #expect(try batch("files=dist").status == 1)
        folder.remove("in/b.png")
        folder.remove("dist/large/b.png")
        #expect(try batch("files=dist").status == 0)
        #expect(try orphans() == ["dist/small/b.png"])
    }
}
