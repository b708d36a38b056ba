import Glibc
import Support
import Testing
import Transport

@Suite("The lock of the output folder")
struct OutputLockTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func take(_ output: OutputFolder) -> OutletError? {
        do throws(OutletError) {
            let lock = try OutputLock(output)
            _ = consume lock
            return nil
        } catch {
            return error
        }
    }

    private func append(to name: RelativePath, in output: OutputFolder) -> OutletError? {
        do throws(OutletError) {
            let file = try AppendFile(name, in: output)
            _ = consume file
            return nil
        } catch {
            return error
        }
    }

    @Test("the lock of the output folder admits one run and names it to a second")
    func second() throws {
        let output = try OutputFolder(FilePath(folder.path("out")))
        let again = try OutputFolder(FilePath(folder.path("out")))
        let lock = try OutputLock(output)
        #expect(folder.textIfAny("out/.emblem/lock") == "\(getpid())\n")
        let error = take(again)
        #expect(error == .held(path: folder.path("out"), pid: Int(getpid())))
        #expect(error?.exitCode == 75 && error?.description.contains("\(getpid())") == true)
        _ = consume lock
        #expect(take(again) == nil)
        try folder.write("nonsense", to: "out/.emblem/lock")
        let third = try OutputLock(again)
        try folder.write("nonsense", to: "out/.emblem/lock")
        #expect(take(output) == .held(path: folder.path("out"), pid: nil))
        #expect(OutletError.held(path: "x", pid: nil).description.contains("unknown"))
        _ = consume third
    }

    @Test("the lock of the output folder removes leftovers of a killed run and nothing else")
    func strays() throws {
        for name in ["new-1-2", "new-99-100", "new-x", "other", "new-5-6.png"] {
            try folder.write("x", to: "out/.emblem/tmp/\(name)")
        }
        folder.makeFolder("out/.emblem/tmp/new-7-8")
        #expect(take(try OutputFolder(FilePath(folder.path("out")))) == nil)
        #expect(
            folder.names(in: "out/.emblem/tmp") == ["new-5-6.png", "new-7-8", "new-x", "other"])
    }

    @Test("the lock and an appended file are refused if they are hard links")
    func hardLinks() throws {
        let output = try OutputFolder(FilePath(folder.path("out")))
        folder.makeFolder("out/.emblem")
        for name in ["lock", "journal.ndjson"] {
            try folder.write("precious", to: "victim")
            let path = folder.path("out/.emblem/\(name)")
            try #require(unsafe link(folder.path("victim"), path) == 0)
            let shared = OutletError.shared(path: path)
            if name == "lock" {
                #expect(take(output) == shared)
            } else {
                #expect(append(to: .own(name), in: output) == shared)
            }
            #expect(shared.exitCode == 73 && shared.description.contains("hard link"))
            #expect(folder.textIfAny("victim") == "precious")
            _ = unsafe unlink(path)
        }
        #expect(take(output) == nil)
    }

    @Test("the lock of the output folder must not be a link, and its errors are reported")
    func failures() throws {
        let output = try OutputFolder(FilePath(folder.path("out")))
        folder.makeFolder("out/.emblem")
        folder.link("out/.emblem/lock", to: folder.path("victim"))
        #expect(take(output) == .inTheWay(path: folder.path("out/.emblem/lock"), what: .link))
        _ = unsafe unlink(folder.path("out/.emblem/lock"))
        for (call, code) in [
            (SystemCall.lock, ENOLCK), (.write, ENOSPC), (.truncate, EIO), (.unlink, EIO),
        ] {
            try folder.write("x", to: "out/.emblem/tmp/new-1-1")
            SystemCalls.$faults.withValue(SystemFaults([.init(call, .fail(code))])) {
                #expect(take(output)?.cause == Errno(code))
            }
        }
        SystemCalls.$faults.withValue(SystemFaults([.init(.open, .fail(EACCES))])) {
            #expect(take(output)?.exitCode == 73)
        }
        #expect(folder.textIfAny("victim") == nil)
    }
}

@Suite("A file that is appended to")
struct AppendFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test("an appended file keeps its contents, can be read at any place and truncated")
    func append() throws {
        let output = try OutputFolder(FilePath(folder.path("out")))
        do {
            let file = try AppendFile(.own("journal.ndjson"), in: output)
            try file.append(Array("one\n".utf8).span)
            try file.append(Array("two\n".utf8).span)
            #expect(try file.size() == 8)
        }
        let file = try AppendFile(.own("journal.ndjson"), in: output)
        #expect(try file.read(at: 4, count: 3) == Array("two".utf8))
        #expect(try file.read(at: 4, count: 30) == Array("two\n".utf8))
        #expect(try file.read(at: 8, count: 30) == [])
        try file.truncate(to: 5)
        try file.append(Array("hree".utf8).span)
        #expect(folder.textIfAny("out/.emblem/journal.ndjson") == "one\nthree")
    }
}
