import Support
import Testing
import Transport

@Suite("Resolved folders")
struct ResolvedFoldersTests {
    @Test("resolved folders equal the system's own resolution, in any order of the queries")
    func same() throws {
        let folder = try ScratchFolder()
        folder.makeFolder("a/b/c")
        folder.makeFolder("other")
        folder.link("link", to: "a/b")
        folder.link("other/up", to: "../link")
        folder.link("nowhere", to: "none")
        try folder.write("x", to: "file")
        let names = [
            "", "a", "a/b/c", "a/b", "./a//b", "a/../a/b", "link", "link/c", "link/..", "other/up",
            "other/up/c", "other/up/c/", "nowhere", "none/at/all", "file", "file/x", ".", "a/.",
        ]
        var folders = ResolvedFolders()
        for name in names + names.reversed() {
            let path = FilePath(folder.path(name))
            let whole = path.resolved.flatMap {
                FileFacts.at($0)?.kind == .folder ? $0 : nil
            }
            #expect(folders.resolve(path)?.bytes == whole?.bytes, "\(name)")
        }
        #expect(folders.resolve(FilePath(".")) == FilePath(".").resolved)
        #expect(folders.resolve(FilePath("/")) == FilePath("/"))
    }
}
