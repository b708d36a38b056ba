import Glibc
import Support
import Testing
import Transport

@Suite("The output folder")
struct OutputFolderTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func output() throws(OutletError) -> OutputFolder {
        try OutputFolder(FilePath(folder.path("out")))
    }

    private func path(_ text: String) throws -> RelativePath {
        try #require(RelativePath(text))
    }

    private func failure(_ body: () throws -> Void) -> OutletError? {
        do {
            try body()
            return nil
        } catch {
            return error as? OutletError
        }
    }

    private var strays: [String] { folder.names(in: "out/.emblem/tmp") }

    @Test("the output folder is created with its parents and stores whole files")
    func write() throws {
        let output = try OutputFolder(FilePath(folder.path("a/b/out/")))
        let written = try output.write(Array("abc".utf8).span, to: path("x/y/z.png"))
        #expect(folder.textIfAny("a/b/out/x/y/z.png") == "abc")
        let facts = try #require(try output.facts(of: path("x/y/z.png")))
        #expect(written.size == 3 && facts.size == 3 && facts.modified == written.modified)
        #expect(folder.names(in: "a/b/out/.emblem/tmp").isEmpty)
        #expect(try output.exists(path("x/y/z.png")) && !output.exists(path("x/y/w.png")))
        #expect(try !output.exists(path("q/y/w.png")) && !output.exists(path("x/y")))
        #expect(try output.read(path("x/y/z.png"), limit: 3) == Array("abc".utf8))
        #expect(try output.read(path("x/y/none"), limit: 3) == nil)
        #expect(try output.read(path("x/y"), limit: 3) == nil)
        #expect(try output.read(path("no/y"), limit: 3) == nil)
        #expect(failure { _ = try output.read(path("x/y/z.png"), limit: 2) }?.exitCode == 74)
        try output.syncAll()
    }

    @Test("the output folder keeps a file that already holds the same bytes, if asked")
    func keepEqual() throws {
        let output = try output()
        let name = try path("a.png")
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        func write(_ bytes: [UInt8]) throws -> FileFacts {
            let written = try output.write(bytes.span, to: name, keepsEqual: true)
            let facts = try #require(try output.facts(of: name))
            #expect(written.size == bytes.count && written.modified == facts.modified)
            #expect(try folder.read("out/a.png") == bytes)
            return facts
        }
        let first = try write(bytes)
        #expect(try write(bytes) == first)
        for other in [Array(bytes.dropLast()), bytes + [0], Array(bytes.dropLast()) + [0]] {
            let before = try write(bytes)
            #expect(try write(other).identity != before.identity)
        }
        let standing = try write(bytes)
        try output.write(bytes.span, to: name)
        #expect(try output.facts(of: name)?.identity != standing.identity)
    }

    @Test("the output folder sets the time of a file but never that of a link's target")
    func touch() throws {
        let output = try output()
        let name = try path("a.png")
        let written = try output.write(Array("a".utf8).span, to: name)
        try output.touch(name, at: 1)
        #expect(try output.facts(of: name)?.modified == 1_000_000_000)
        try output.touch(name)
        #expect(try #require(try output.facts(of: name)).modified >= written.modified)
        try output.touch(path("none"))
        let other = FilePath(try folder.write("b", to: "other"))
        let before = FileFacts.at(other)
        folder.link("out/link", to: folder.path("other"))
        try output.touch(path("link"), at: 1)
        #expect(FileFacts.at(other) == before)
    }

    @Test("the output folder replaces regular files, including read-only ones")
    func replace() throws {
        let output = try output()
        try output.write(Array("old".utf8).span, to: path("a.png"))
        _ = unsafe chmod(folder.path("out/a.png"), 0o444)
        _ = unsafe link(folder.path("out/a.png"), folder.path("twin"))
        try output.write(Array("new".utf8).span, to: path("a.png"))
        #expect(folder.textIfAny("out/a.png") == "new" && folder.textIfAny("twin") == "old")
    }

    @Test(
        "the output folder replaces nothing that is not a regular file",
        arguments: [
            ("folder", FileFacts.Kind.folder), ("fifo", .fifo), ("link", .link),
            ("dangling", .link),
        ])
    func obstacles(_ name: String, _ kind: FileFacts.Kind) throws {
        let output = try output()
        try folder.write("secret", to: "secret")
        folder.makeFolder("out/folder")
        folder.makeFIFO("out/fifo")
        folder.link("out/link", to: "../secret")
        folder.link("out/dangling", to: "../made")
        let error = failure { try output.write(Array("x".utf8).span, to: path(name)) }
        #expect(error == .inTheWay(path: folder.path("out/\(name)"), what: kind))
        #expect(error?.exitCode == 73 && error?.description.contains(name) == true)
        #expect(folder.textIfAny("secret") == "secret" && folder.textIfAny("made") == nil)
        #expect(strays.isEmpty)
    }

    @Test(
        "the output folder never follows a link planted in place of a folder",
        arguments: ["small", ".emblem", ".emblem/tmp"])
    func plantedLink(_ name: String) throws {
        folder.makeFolder("elsewhere")
        folder.makeFolder("out/.emblem")
        if name == ".emblem" { _ = unsafe rmdir(folder.path("out/.emblem")) }
        folder.link("out/\(name)", to: folder.path("elsewhere"))
        let error = failure {
            try output().write(Array("x".utf8).span, to: path("small/a.png"))
        }
        #expect(error == .inTheWay(path: folder.path("out/\(name)"), what: .link))
        #expect(folder.names(in: "elsewhere").isEmpty)
    }

    @Test("the output folder reports a file where a folder should be")
    func fileAsFolder() throws {
        let output = try output()
        try folder.write("x", to: "out/small")
        let error = failure { try output.write(Array("x".utf8).span, to: path("small/a.png")) }
        #expect(error == .inTheWay(path: folder.path("out/small"), what: .file))
        try folder.write("x", to: "file")
        #expect(failure { _ = try OutputFolder(FilePath(folder.path("file"))) }?.exitCode == 73)
        #expect(failure { _ = try OutputFolder(FilePath(folder.path("file/out"))) }?.exitCode == 73)
        #expect(failure { _ = try OutputFolder(FilePath("/proc/nowhere")) }?.exitCode == 73)
        #expect(failure { _ = try OutputFolder(FilePath("")) }?.exitCode == 73)
    }

    @Test("the output folder may itself be a symbolic link, which is followed once")
    func linkedRoot() throws {
        folder.makeFolder("real")
        folder.link("out", to: "real")
        try output().write(Array("x".utf8).span, to: path("a.png"))
        #expect(folder.textIfAny("real/a.png") == "x")
    }

    /// Writes a file that is on the disk before its name refers to it.
    private func store(
        _ text: String, as name: RelativePath, in output: OutputFolder
    ) throws(OutletError) {
        var file = try output.newFile(name)
        try file.append(Array(text.utf8))
        _ = try file.commit(sync: true)
    }

    @Test(
        "the output folder keeps no partial file when the disk fails",
        arguments: [
            (SystemCall.write, ENOSPC), (.write, EDQUOT), (.write, EIO), (.rename, EIO),
            (.rename, EXDEV), (.sync, EIO), (.open, ENOSPC), (.makeFolder, ENOSPC), (.stat, EIO),
        ])
    func diskFull(_ call: SystemCall, _ code: Int32) throws {
        let output = try output()
        try output.write(Array("old".utf8).span, to: path("a.png"))
        let faults = SystemFaults([.init(call, .fail(code))])
        let error = SystemCalls.$faults.withValue(faults) {
            failure { try store("new", as: path("new/a.png"), in: output) }
        }
        #expect(error?.exitCode == 74 && error?.cause == Errno(code))
        #expect(error?.description.contains("\(Errno(code))") == true)
        #expect(folder.textIfAny("out/new/a.png") == nil && folder.textIfAny("out/a.png") == "old")
        #expect(strays.isEmpty)
        try output.write(Array("new".utf8).span, to: path("new/a.png"))
        #expect(folder.textIfAny("out/new/a.png") == "new")
    }

    @Test("the output folder gets complete files from short and interrupted writes")
    func shortWrites() throws {
        let text = String(repeating: "0123456789", count: 100)
        let faults = SystemFaults([
            .init(.write, first: 1, count: 2, .fail(EINTR)),
            .init(.write, first: 3, count: 900, .short(3)),
            .init(.rename, .fail(EINTR)), .init(.sync, .fail(EINTR)),
        ])
        let output = try output()
        try SystemCalls.$faults.withValue(faults) {
            try store(text, as: path("a.png"), in: output)
            try output.syncAll()
        }
        #expect(folder.textIfAny("out/a.png") == text)
    }

    @Test("the output folder survives the removal of its subfolders while it is in use")
    func vanishing() throws {
        let output = try output()
        try output.write(Array("1".utf8).span, to: path("small/a.png"))
        _ = unsafe unlink(folder.path("out/small/a.png"))
        _ = unsafe rmdir(folder.path("out/small"))
        try output.write(Array("2".utf8).span, to: path("small/a.png"))
        #expect(folder.textIfAny("out/small/a.png") == "2")
        _ = unsafe rmdir(folder.path("out/.emblem/tmp"))
        try output.write(Array("3".utf8).span, to: path("small/a.png"))
        #expect(folder.textIfAny("out/small/a.png") == "3")
    }

    @Test("the output folder reports an error when it is deleted during a run")
    func deleted() throws {
        let output = try output()
        try output.write(Array("1".utf8).span, to: path("a.png"))
        _ = unsafe unlink(folder.path("out/a.png"))
        for name in ["out/.emblem/tmp", "out/.emblem", "out"] {
            _ = unsafe rmdir(folder.path(name))
        }
        let error = failure { try output.write(Array("2".utf8).span, to: path("a.png")) }
        #expect(error?.cause == Errno(ENOENT))
    }

    @Test("the output folder shows a file written in parts only after it is committed")
    func pieces() throws {
        let output = try output()
        let piece = [UInt8](repeating: 0x61, count: 30_000)
        var file = try output.newFile(path("manifest.ndjson"))
        for _ in 0..<5 { try file.append(piece) }
        try file.append([UInt8](repeating: 0x62, count: 70_000).span)
        #expect(folder.textIfAny("out/manifest.ndjson") == nil && file.size == 220_000)
        let written = try file.commit(sync: true)
        #expect(written.size == 220_000)
        let text = try #require(folder.textIfAny("out/manifest.ndjson"))
        #expect(text.utf8.count == 220_000 && text.hasSuffix("b") && text.hasPrefix("a"))
        var abandoned = try output.newFile(path("run.json"))
        try abandoned.append(piece)
        #expect(strays.count == 1)
        _ = consume abandoned
        #expect(strays.isEmpty && folder.textIfAny("out/run.json") == nil)
    }

}

@Suite("Output folders that disappear")
struct LostFolderTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func loss(_ output: OutputFolder) -> OutletError? {
        do throws(OutletError) {
            try output.checkFolders()
            return nil
        } catch {
            return error
        }
    }

    @Test("output folders that are moved or deleted are reported although all writes succeeded")
    func gone() throws {
        for isMoved in [true, false] {
            let name = isMoved ? "moved" : "deleted"
            let output = try OutputFolder(FilePath(folder.path(name)))
            for index in 0..<3 {
                let path = try #require(RelativePath("small/\(index).png"))
                try output.write([1, 2, 3].span, to: path)
            }
            #expect(loss(output) == nil)
            if isMoved {
                let from = folder.path("\(name)/small")
                try #require(unsafe rename(from, folder.path("away")) == 0)
            } else {
                folder.remove("\(name)/small")
            }
            let late = try #require(RelativePath("small/late.png"))
            try output.write([4].span, to: late)
            let error = try #require(loss(output))
            #expect(error.exitCode == 74)
            #expect(error.description.contains("\(name)/small"))
            #expect(error.description.contains("moved or deleted"))
        }
    }

    @Test("output folders that disappear are reported even if more folders are used than kept open")
    func many() throws {
        let output = try OutputFolder(FilePath(folder.path("out")))
        try output.write([1].span, to: try #require(RelativePath("first/a.png")))
        try #require(unsafe rename(folder.path("out/first"), folder.path("away")) == 0)
        for index in 0..<100 {
            try output.write([1].span, to: try #require(RelativePath("other-\(index)/a.png")))
        }
        try output.write([1].span, to: try #require(RelativePath("first/b.png")))
        #expect(loss(output)?.exitCode == 74)
    }
}
