import Glibc
import Support
import Testing
import Transport

/// The temporary names of files can be guessed.
@Suite("A symbolic link planted under a temporary name")
struct PlantedNameTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(
        "a link planted under a temporary name in the output folder is skipped and its target kept"
    )
    func folderLink() throws {
        try folder.write("precious", to: "victim")
        folder.makeFolder("out/.emblem/tmp")
        for number in 1...3 {
            folder.link("out/.emblem/tmp/new-\(getpid())-\(number)", to: folder.path("victim"))
        }
        let output = try OutputFolder(FilePath(folder.path("out")))
        try output.write(Array("new".utf8).span, to: try #require(RelativePath("a.png")))
        #expect(folder.textIfAny("victim") == "precious")
        #expect(folder.textIfAny("out/a.png") == "new")
        var facts = stat()
        #expect(unsafe lstat(folder.path("out/a.png"), &facts) == 0)
        #expect(facts.st_mode & S_IFMT == S_IFREG)
    }

    @Test("a link planted next to a single output file is an error, and its target is kept")
    func neighbour() throws {
        try folder.write("precious", to: "victim")
        folder.link("a.png.emblem-\(getpid())", to: folder.path("victim"))
        #expect(throws: OutletError.self) {
            try SingleFile.write(Array("new".utf8).span, to: FilePath(folder.path("a.png")))
        }
        #expect(folder.textIfAny("victim") == "precious" && !folder.exists("a.png"))
    }
}
