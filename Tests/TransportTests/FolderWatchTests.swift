import Support
import Testing
import Transport

@Suite("A watch on folders")
struct FolderWatchTests {
    @Test("a watch on folders reports relevant changes and nothing else")
    func events() throws {
        let folder = try ScratchFolder()
        folder.makeFolder("in")
        var watch = try FolderWatch()
        try watch.add(FilePath(folder.path("in"))) { name, isFolder in
            isFolder || name.elementsEqual("a.png".utf8)
        }
        #expect(watch.count == 1)
        #expect(try !watch.hasChanged())
        try folder.write("x", to: "in/b.txt")
        #expect(try !watch.hasChanged())
        try folder.write("x", to: "in/a.png")
        #expect(try watch.hasChanged())
        #expect(try !watch.hasChanged())
        folder.makeFolder("in/sub")
        #expect(try watch.hasChanged())
        folder.remove("in/a.png")
        #expect(try watch.hasChanged())
        try folder.write("x", to: "outside.png")
        #expect(try !watch.hasChanged())
    }

    @Test("a watch cannot be added on a missing folder")
    func missing() throws {
        var watch = try FolderWatch()
        #expect(throws: Errno.self) { try watch.add(FilePath("/nowhere/at/all")) { _, _ in true } }
    }
}
