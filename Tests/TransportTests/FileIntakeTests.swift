import Glibc
import Support
import Testing
import Transport

@Suite("Reading a file")
struct FileIntakeTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func error(_ path: FilePath, limit: Int = 1_000) -> ItemFailure? {
        do throws(ItemFailure) {
            _ = try FileIntake.read(path, bytesLimit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "reading a file returns its bytes and its metadata",
        arguments: [0, 1, 65_535, 65_536, 300_000])
    func bytes(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = FilePath(try folder.write(bytes, to: "a.bin"))
        let (read, facts) = try FileIntake.read(path, bytesLimit: count)
        #expect(read == bytes && facts.size == count && facts.kind == .file)
        #expect(facts.modified > 1_500_000_000_000_000_000 && facts.changed >= facts.modified)
    }

    @Test("reading the first bytes of a file does not consume them")
    func head() throws {
        let file = try OpenFile(FilePath(folder.write("abcdef", to: "a.txt")))
        #expect(try file.head(3) == Array("abc".utf8))
        #expect(try file.head(30) == Array("abcdef".utf8))
        #expect(try file.readAll(limit: 10) == Array("abcdef".utf8))
    }

    @Test("reading a file larger than the limit is refused")
    func tooLarge() throws {
        let path = FilePath(try folder.write("abcdef", to: "a.txt"))
        #expect(error(path, limit: 5) == ItemFailure(tooLarge: 5))
        #expect(error(path, limit: 6) == nil)
        // Files in /proc report a size of 0.
        #expect(error(FilePath("/proc/self/maps"), limit: 10) == ItemFailure(tooLarge: 10))
    }

    @Test("reading a file survives short and interrupted reads")
    func interrupted() throws {
        let text = String(repeating: "0123456789", count: 50)
        let path = FilePath(try folder.write(text, to: "a.txt"))
        let faults = SystemFaults([
            .init(.read, first: 1, count: 3, .fail(EINTR)),
            .init(.read, first: 4, count: 90, .short(7)),
            .init(.open, .fail(EINTR)), .init(.stat, .fail(EINTR)),
        ])
        let bytes = try SystemCalls.$faults.withValue(faults) {
            try FileIntake.read(path, bytesLimit: 1_000).bytes
        }
        #expect(bytes == Array(text.utf8))
        #expect(faults.count(of: .read) > 50)
    }

    @Test("reading anything but a regular file is refused without waiting")
    func notFiles() {
        folder.makeFIFO("fifo")
        folder.makeFolder("folder")
        folder.link("loop", to: "loop")
        for path in ["fifo", "folder", "loop"].map({ FilePath(folder.path($0)) })
            + ["/dev/zero", "/dev/full"].map(
                FilePath.init)
        {
            #expect(error(path)?.className == "unreadable", "\(path)")
        }
        #expect(error(FilePath(bytes: Array("a\u{0}b".utf8)))?.className == "unreadable")
    }

    @Test("reading a missing file reports that it is missing")
    func missing() throws {
        try folder.write("abc", to: "a.txt")
        #expect(error(FilePath(folder.path("nothing")))?.className == "not_found")
        #expect(error(FilePath(folder.path("a.txt/b")))?.className == "not_found")
        #expect(throws: ItemFailure.self) {
            try FileIntake.facts(of: FilePath(folder.path("nothing")))
        }
    }

    @Test(
        "reading a file reports each system error with its own error",
        arguments: [
            (EACCES, "unreadable", false), (EMFILE, "unreadable", true),
            (ENOENT, "not_found", false),
        ])
    func failures(_ code: Int32, _ name: String, _ lacksDescriptors: Bool) throws {
        let path = FilePath(try folder.write("abc", to: "a.txt"))
        SystemCalls.$faults.withValue(SystemFaults([.init(.open, .fail(code))])) {
            let error = error(path)
            #expect(error?.className == name && error?.isRetryable == lacksDescriptors)
        }
    }

    @Test("reading a stream stops at the limit")
    func stream() throws {
        let path = FilePath(try folder.write(String(repeating: "x", count: 1_000), to: "a.txt"))
        let descriptor = unsafe open(path.description, O_RDONLY)
        defer { close(descriptor) }
        #expect(try StandardInput.read(from: descriptor, bytesLimit: 1_000).count == 1_000)
        lseek(descriptor, 0, SEEK_SET)
        #expect(throws: ItemFailure(tooLarge: 999)) {
            try StandardInput.read(from: descriptor, bytesLimit: 999)
        }
        #expect(throws: ItemFailure(Errno(EBADF))) {
            try StandardInput.read(from: -1, bytesLimit: 9)
        }
    }
}
