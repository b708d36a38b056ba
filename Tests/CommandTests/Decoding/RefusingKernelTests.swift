import Foundation
import Glibc
import Notation
import Raster
import Support
import Testing

@Suite("A kernel or container that refuses system calls", .ownThreads)
struct RefusingKernelTests {
    private static let isRoot = getuid() == 0

    /// Creates a control group whose total memory the test may limit.
    private static func makeGroup(_ name: String) -> String? {
        let path = "/sys/fs/cgroup/memory/emblem-\(name)-\(getpid())"
        guard unsafe mkdir(path, 0o755) == 0 else { return nil }
        return path
    }

    private static func removeGroup(_ path: String) {
        _ = unsafe rmdir(path)
    }

    private static let canLimit: Bool = {
        guard let group = makeGroup("try") else { return false }
        removeGroup(group)
        return true
    }()

    @Test(
        "the system kills a worker and not the run if all processes have only 60 MB",
        .enabled(if: canLimit))
    func smallGroup() throws {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 4_600, height: 4_600), to: "in/big.png")
        for index in 0..<3 {
            try folder.write(
                Pictures.disc(.black, width: 60 + index, height: 60), to: "in/\(index).png")
        }
        let group = try #require(Self.makeGroup("small"))
        defer { Self.removeGroup(group) }
        try Data("\(60 << 20)".utf8).write(
            to: URL(filePath: group + "/memory.limit_in_bytes"))
        // A trimmed picture is decoded as a whole.
        let run = try Tool.run(
            Tool.path(of: "Refuser"),
            [
                "cgroup:\(group)", "--", Tool.path(of: "emblem"), "batch", "in", "-o", "out",
                "--trim", "auto",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.errorClass("big") == "crashed")
        #expect(manifest.summary?["ok"]?.intValue == 3)
    }

    private static func children(of process: pid_t) throws -> [pid_t] {
        let path = "/proc/\(process)/task/\(process)/children"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
            .compactMap { pid_t($0) }.sorted()
    }

    @Test("another process of the same user cannot read the arguments or variables of a run")
    func hidden() throws {
        let folder = try ScratchFolder()
        try #require(unsafe chmod(folder.path, 0o777) == 0)
        let (listener, port) = LocalSocket.listen()
        defer { close(listener) }
        let words = [
            Tool.path(of: "emblem"), "batch", "http://127.0.0.1:\(port)/", "-o", "out",
            "--allow-private", "--cache", "none", "--timeout", "60",
        ]
        // The files in /proc of a process that root runs always belong to root, so the test runs as
        // another user.
        let running = try Tool.start(
            Tool.path(of: "Refuser"), (Self.isRoot ? ["user:65534"] : []) + ["--"] + words,
            in: folder.path)
        defer { running.send(SIGKILL) }
        #expect(LocalSocket.wasReached(listener, within: 10_000))
        var facts = stat()
        let file = "/proc/\(running.processIdentifier)/environ"
        #expect(unsafe stat(file, &facts) == 0 && facts.st_uid == 0)
    }

    @Test("spare workers that received SIGSTOP do not delay the end of a run")
    func stoppedSpares() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 700, height: 700)
        for index in 0..<60 { try folder.write(picture + [UInt8(index)], to: "in/\(index).png") }
        // Workers are forked at startup. Their number is a guess if no argument gives the number of
        // jobs, so some workers are not needed.
        let running = try Tool.start(
            Tool.path(of: "emblem"), ["batch", "in", "-o", "out"], in: folder.path,
            environment: ["EMBLEM_JOBS": "1"])
        let hasBegun = Waiting.until { folder.tree("out/small").count > 1 }
        #expect(hasBegun)
        let children = try Self.children(of: running.processIdentifier)
        try #require(children.count > 2)
        // The worker in use is the first one that another worker forked.
        for spare in children where spare != children[1] { kill(spare, SIGSTOP) }
        let hasEnded = Waiting.until { !running.isRunning }
        #expect(hasEnded)
        running.send(SIGKILL)
        #expect(running.wait().status == 0)
        for child in children { #expect(kill(child, 0) != 0) }
    }

    @Test(
        "a run starts as many spare workers as its jobs need",
        arguments: [
            (["--jobs", "5"], 7), (["-j", "5"], 7), (["--jobs=1"], 1), (["--jobs", "1024"], 64),
        ])
    func spares(words: [String], count: Int) throws {
        let folder = try ScratchFolder()
        let (listener, port) = LocalSocket.listen()
        defer { close(listener) }
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            [
                "batch", "http://127.0.0.1:\(port)/", "-o", "out", "--allow-private", "--cache",
                "none", "--timeout", "60",
            ] + words, in: folder.path)
        defer { running.send(SIGKILL) }
        #expect(LocalSocket.wasReached(listener, within: 10_000))
        let process = running.processIdentifier
        #expect(Waiting.until { (try? Self.children(of: process).count) == count })
    }
}
