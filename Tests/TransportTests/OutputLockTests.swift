import Glibc
import Testing
import Transport

@Suite("The lock of the output folder")
struct OutputLockTests {
    private let folder = TemporaryFolder()

    private func take(_ output: OutputFolder) -> OutletError? {
        do throws(OutletError) {
            let lock = try OutputLock(output)
            _ = consume lock
            return nil
        } catch {
            return error
        }
    }

    @Test("lets one run in and names it to the second")
    func second() throws {
        let output = try OutputFolder(folder.file("out"))
        let again = try OutputFolder(folder.file("out"))
        let lock = try OutputLock(output)
        #expect(folder.read("out/.emblem/lock") == "\(getpid())\n")
        let error = take(again)
        #expect(error == .held(path: folder.at("out"), pid: Int(getpid())))
        #expect(error?.exitCode == 75 && error?.description.contains("\(getpid())") == true)
        _ = consume lock
        #expect(take(again) == nil)
        folder.write("out/.emblem/lock", "nonsense")
        let third = try OutputLock(again)
        folder.write("out/.emblem/lock", "nonsense")
        #expect(take(output) == .held(path: folder.at("out"), pid: nil))
        #expect(OutletError.held(path: "x", pid: nil).description.contains("unknown"))
        _ = consume third
    }

    @Test("clears away what a killed run left, and nothing else")
    func strays() throws {
        for name in ["new-1-2", "new-99-100", "new-x", "other", "new-5-6.png"] {
            folder.write("out/.emblem/tmp/\(name)", "x")
        }
        folder.makeFolder("out/.emblem/tmp/new-7-8")
        #expect(take(try OutputFolder(folder.file("out"))) == nil)
        #expect(
            folder.names(in: "out/.emblem/tmp") == ["new-5-6.png", "new-7-8", "new-x", "other"])
    }

    @Test("is no link, and reports what fails")
    func failures() throws {
        let output = try OutputFolder(folder.file("out"))
        folder.makeFolder("out/.emblem")
        folder.link("out/.emblem/lock", to: folder.at("victim"))
        #expect(take(output) == .inTheWay(path: folder.at("out/.emblem/lock"), what: .link))
        _ = unsafe unlink(folder.at("out/.emblem/lock"))
        for (call, code) in [
            (SystemCall.lock, ENOLCK), (.write, ENOSPC), (.truncate, EIO), (.unlink, EIO),
        ] {
            folder.write("out/.emblem/tmp/new-1-1", "x")
            SystemCalls.$faults.withValue(SystemFaults([.init(call, .fail(code))])) {
                #expect(take(output)?.cause == Errno(code))
            }
        }
        SystemCalls.$faults.withValue(SystemFaults([.init(.open, .fail(EACCES))])) {
            #expect(take(output)?.exitCode == 73)
        }
        #expect(folder.read("victim") == nil)
    }
}

@Suite("A file that grows")
struct AppendFileTests {
    private let folder = TemporaryFolder()

    @Test("keeps what was appended, can be read anywhere and cut")
    func append() throws {
        let output = try OutputFolder(folder.file("out"))
        do {
            let file = try AppendFile(.own("journal.ndjson"), in: output)
            try file.append(Array("one\n".utf8).span)
            try file.append(Array("two\n".utf8).span)
            try file.sync()
            #expect(try file.size() == 8)
        }
        let file = try AppendFile(.own("journal.ndjson"), in: output)
        #expect(try file.read(at: 4, count: 3) == Array("two".utf8))
        #expect(try file.read(at: 4, count: 30) == Array("two\n".utf8))
        #expect(try file.read(at: 8, count: 30) == [])
        try file.truncate(to: 5)
        try file.append(Array("hree".utf8).span)
        #expect(folder.read("out/.emblem/journal.ndjson") == "one\nthree")
    }

    @Test("is no device, and reports a disk that fails")
    func failures() throws {
        let output = try OutputFolder(folder.file("out"))
        folder.makeFolder("out/.emblem")
        folder.link("out/.emblem/journal", to: "/dev/full")
        #expect(throws: OutletError.inTheWay(path: folder.at("out/.emblem/journal"), what: .link)) {
            _ = try AppendFile(.own("journal"), in: output)
        }
        let file = try AppendFile(.own("other"), in: output)
        for (call, code) in [
            (SystemCall.write, ENOSPC), (.sync, EIO), (.truncate, EIO), (.stat, EIO),
        ] {
            SystemCalls.$faults.withValue(SystemFaults([.init(call, .fail(code))])) {
                var caught: OutletError?
                do throws(OutletError) {
                    try file.append(Array("x".utf8).span)
                    try file.sync()
                    try file.truncate(to: 0)
                    _ = try file.size()
                } catch {
                    caught = error
                }
                #expect(caught?.exitCode == 74 && caught?.cause == Errno(code))
            }
        }
        SystemCalls.$faults.withValue(SystemFaults([.init(.open, .fail(EMFILE))])) {
            #expect(throws: OutletError.self) { _ = try AppendFile(.own("x"), in: output) }
        }
    }
}
