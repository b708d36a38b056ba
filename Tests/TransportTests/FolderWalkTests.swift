import Glibc
import Support
import Testing
import Transport

@Suite("A walk through a folder tree")
struct FolderWalkTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Returns whether a walk takes a file for an image.
    private static func isPicture(_ name: [UInt8]) -> Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        return [".png", ".jpg", ".svg", ".webp", ".gif", ".ico"].contains(where: name.hasSuffix)
    }

    private func walk(
        leavingOut outside: FileIdentity? = nil
    ) throws -> (paths: [String], skips: FolderSkips) {
        var walk = try FolderWalk(
            FilePath(folder.path), leavingOut: Set([outside].compactMap { $0 }),
            isPicture: Self.isPicture)
        var paths: [String] = []
        while let path = walk.next() { paths.append(path.description) }
        return (paths, walk.skips)
    }

    @Test("a walk through a folder finds pictures in byte order of their relative paths")
    func order() throws {
        let names = [
            "a.png", "a/b.png", "a-b.png", "a0.PNG", "a/.x.png", "B.jpg", "z/y/x.svg", "a/b/c.webp",
            "é.gif", "a/notes.md", "README", ".git/x.png", "a.d/e.ico",
        ]
        for name in names { try folder.write("x", to: name) }
        folder.makeFolder("empty.png")
        let (paths, skips) = try walk()
        let wanted = [
            "a.png", "a/b.png", "a-b.png", "a0.PNG", "B.jpg", "z/y/x.svg", "a/b/c.webp", "é.gif",
            "a.d/e.ico",
        ]
        #expect(paths == wanted.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(skips.otherFiles == 2)
    }

    @Test("a walk through a folder returns dark twins with their partners")
    func twins() throws {
        for name in [
            "a.png", "a-d.svg", "b.png", "b-d.jpg", "b-d.png", "-d.png", "c-d.png", "e.png",
            "e-d.png", "e-d-d.png", "s/a.png", "s/a-d.png", "s/c.png", "t/a-d.png", "f-d.txt",
            // Folders have no dark twins, and are not dark twins of files.
            "g-d.png", "g.d/x.png", "h.png", "h-d.png", "h-d.e/y.png",
        ] {
            try folder.write("x", to: name)
        }
        var walk = try FolderWalk(
            FilePath(folder.path), leavingOut: [], twinSuffix: Array("-d".utf8),
            isPicture: Self.isPicture)
        var found: [String] = []
        while let path = walk.next() { found.append("\(path) \(walk.twin?.description ?? "none")") }
        #expect(
            found == [
                "-d.png none", "a.png a-d.svg", "b.png b-d.png", "c-d.png none",
                "e-d-d.png none", "e.png e-d.png", "g-d.png none", "g.d/x.png none",
                "h-d.e/y.png none", "h.png h-d.png", "s/a.png s/a-d.png", "s/c.png none",
                "t/a-d.png none",
            ])
    }

    @Test("a walk through a folder follows links to files but not to folders by default")
    func links() throws {
        try folder.write("x", to: "sub/a.png")
        folder.link("b.png", to: "sub/a.png")
        folder.link("c.png", to: "nowhere")
        folder.link("none", to: "nowhere")
        folder.link("loop", to: ".")
        folder.link("loop.png", to: "loop.png")
        folder.link("folder.png", to: "sub")
        let (paths, skips) = try walk()
        #expect(paths == ["b.png", "c.png", "loop.png", "sub/a.png"])
        #expect(skips.links == 3)
    }

    @Test("a walk through a folder skips special files, unless their name is that of a picture")
    func specials() throws {
        for name in ["x", "x.png"] {
            folder.makeFIFO(name)
            folder.link("y" + name, to: name)
            folder.link("z" + name, to: "/dev/null")
        }
        let (paths, skips) = try walk()
        #expect(paths == ["x.png", "yx.png", "zx.png"])
        #expect(skips.specials == 3)
    }

    @Test("a walk through a folder skips the output folder at any place")
    func output() throws {
        try folder.write("x", to: "in/a.png")
        try folder.write("x", to: "in/out/b.png")
        let inner = try FileIntake.facts(of: FilePath(folder.path("in/out"))).identity
        #expect(try walk(leavingOut: inner).paths == ["in/a.png"])
        let all = try FileIntake.facts(of: FilePath(folder.path)).identity
        #expect(try walk(leavingOut: all).paths == [])
        let skips = try walk(leavingOut: inner).skips
        #expect(skips.outputs == 1)
        #expect(skips.firstOutput.map { "\($0)" } == folder.path("in/out"))
    }

    @Test("a walk through a folder skips output folders of other runs if asked")
    func sets() throws {
        for name in ["a.png", ".emblem/x", "old/.emblem/x", "old/small/b.png", "z.png"] {
            try folder.write("x", to: name)
        }
        #expect(try walk().paths == ["a.png", "old/small/b.png", "z.png"])
        var walk = try FolderWalk(
            FilePath(folder.path), leavingOut: [], skipsOutputFolders: true,
            isPicture: Self.isPicture)
        var paths: [String] = []
        while let path = walk.next() { paths.append(path.description) }
        #expect(paths == ["a.png", "z.png"] && walk.skips.outputs == 1)
    }

    @Test("a walk through a folder keeps names that are not UTF-8")
    func bytes() throws {
        let name = FilePath(bytes: Array(folder.path("").utf8) + [0xFF, 0xFE] + Array(".png".utf8))
        var bytes = name.bytes.map { CChar(bitPattern: $0) }
        bytes.append(0)
        let descriptor = unsafe open(bytes, O_CREAT | O_WRONLY, 0o644)
        close(descriptor)
        var walk = try FolderWalk(
            FilePath(folder.path), leavingOut: [], isPicture: Self.isPicture)
        let next = walk.next()
        let found = try #require(next)
        #expect(found.bytes == [0xFF, 0xFE] + Array(".png".utf8))
        #expect(
            try FileIntake.read(FilePath(folder.path).appending(found), bytesLimit: 1).bytes == [])
        _ = unsafe unlink(bytes)
    }

    @Test("a walk through a folder names folders that cannot be opened and continues")
    func unreadable() throws {
        try folder.write("x", to: "a/x.png")
        try folder.write("y", to: "b/y.png")
        // The root and its listing take the first two open calls.
        let faults = SystemFaults([.init(.open, first: 3, .fail(EACCES))])
        let (paths, skips) = try SystemCalls.$faults.withValue(faults) { try walk() }
        #expect(paths == ["b/y.png"])
        #expect(skips.unreadable == ["\(folder.path)/a: \(Errno(EACCES))"])
        var sum = FolderSkips()
        sum.add(skips)
        sum.add(skips)
        #expect(sum.unreadable.count == 2)
        for _ in 0..<20 { sum.add(skips) }
        #expect(sum.unreadable.count == 10)
        #expect(sum.unreadableCount == 22)
    }

    @Test("a walk through a folder reads trees deeper than the number of descriptors")
    func deep() throws {
        let path = (0..<300).map { "d\($0)" }.joined(separator: "/")
        try folder.write("x", to: path + "/x.png")
        #expect(try walk().paths == [path + "/x.png"])
    }

    @Test("a walk through a folder fails if the folder is missing or not a folder")
    func missing() throws {
        try folder.write("x", to: "file")
        for name in ["nothing", "file"] {
            let error = #expect(throws: ItemFailure.self) {
                var walk = try FolderWalk(
                    FilePath(folder.path(name)), leavingOut: [], isPicture: Self.isPicture)
                _ = walk.next()
            }
            #expect(error?.className == "not_found")
        }
    }
}
