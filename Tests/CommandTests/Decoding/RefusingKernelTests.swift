import Foundation
import Glibc
import Notation
import Raster
import Support
import Testing

/// A refusal by the kernel or container, and its expected result.
struct Refusal: CustomTestStringConvertible, Sendable {
    /// The arguments for `Refuser`.
    let refused: [String]
    let arguments: [String]
    let status: Int32
    /// The expected text on standard error.
    let words: String
    /// The expected value in `run.json`, if that is written.
    var confinement = "process"
    /// Only root can create mounts and groups.
    var needsRoot = false

    var testDescription: String { (refused + arguments).joined(separator: " ") }

    private static let whole = "process, seccomp, landlock, rlimits"
    private static let strict = ["--sandbox", "strict"]
    private static let landlock = "landlock_create_ruleset=ENOSYS"

    static let all: [Refusal] = [
        Refusal(
            refused: ["seccomp=EPERM"], arguments: [], status: 69,
            words: "refuses seccomp filters (Operation not permitted)"),
        // The kernel has filters, but refuses to install this one.
        Refusal(
            refused: ["filter=EPERM"], arguments: [], status: 69,
            words: "refuses seccomp filters (Operation not permitted)"),
        Refusal(
            refused: ["seccomp=ENOSYS"], arguments: strict, status: 69,
            words: "use '--sandbox none' for trusted images only"),
        Refusal(
            refused: ["seccomp=EPERM"], arguments: ["--sandbox", "none"], status: 0,
            words: "", confinement: "none: decoding in the tool's own process"),
        Refusal(
            refused: [landlock], arguments: [], status: 0,
            words: "Landlock is not available (Function not implemented)",
            confinement: "no landlock (Function not implemented)"),
        Refusal(
            refused: [landlock], arguments: strict, status: 69,
            words: "refuses Landlock (Function not implemented)"),
        Refusal(
            refused: ["landlock_restrict_self=EPERM"], arguments: [], status: 0,
            words: "Landlock is not available", confinement: "no landlock (Operation not permitted)"
        ),
        Refusal(
            refused: ["landlock_restrict_self=EPERM"], arguments: strict, status: 69,
            words: "refuses Landlock (Operation not permitted)"),
        Refusal(
            refused: ["memfd_create=ENOSYS"], arguments: [], status: 69,
            words: "memfd_create: Function not implemented"),
        Refusal(
            refused: ["socketpair=EPERM"], arguments: [], status: 69,
            words: "socketpair: Operation not permitted"),
        Refusal(
            refused: ["eventfd2=EPERM"], arguments: [], status: 69,
            words: "refuses eventfd (Operation not permitted)"),
        Refusal(
            refused: ["epoll_create1=EPERM"], arguments: [], status: 69,
            words: "refuses epoll_create1 (Operation not permitted)"),
        Refusal(
            refused: ["epoll_ctl=EPERM"], arguments: [], status: 69,
            words: "refuses epoll_ctl (Operation not permitted)"),
        Refusal(
            refused: ["epoll_wait=EPERM"], arguments: [], status: 69,
            words: "refuses epoll_wait (Operation not permitted)"),
        Refusal(
            refused: ["epoll_wait=ENOSYS"], arguments: ["--sandbox", "none"], status: 69,
            words: "refuses epoll_wait (Function not implemented)"),
        Refusal(
            refused: ["poll=EPERM"], arguments: [], status: 69,
            words: "refuses poll (Operation not permitted)"),
        Refusal(
            refused: ["getrandom=EPERM"], arguments: [], status: 69,
            words: "refuses getrandom (Operation not permitted)"),
        Refusal(
            refused: ["prctl=EPERM"], arguments: [], status: 69, words: "cannot use prctl",
            needsRoot: true),
        // The following cases refuse calls that workers do not need.
        Refusal(
            refused: ["unshare=EPERM"], arguments: strict, status: 0, words: "",
            confinement: whole),
        Refusal(
            refused: ["setresuid=EPERM"], arguments: [], status: 0, words: "",
            confinement: "workers stay root, without capabilities", needsRoot: true),
        Refusal(
            refused: ["capset=EPERM"], arguments: [], status: 0, words: "",
            confinement: whole),
        Refusal(
            refused: ["proc"], arguments: [], status: 69, words: "/proc is missing",
            needsRoot: true),
        Refusal(
            refused: ["null"], arguments: [], status: 69,
            words: "opening /dev/null: Permission denied", needsRoot: true),
    ]

    /// Resources that exist, but are scarce.
    static let scarce: [Refusal] = [
        Refusal(
            refused: ["nofile:12"], arguments: [], status: 74, words: "raise `ulimit -n`"),
        Refusal(
            refused: ["as:280"], arguments: [], status: 0, words: "", confinement: whole),
        Refusal(
            refused: ["as:400"], arguments: [], status: 0, words: "", confinement: whole),
    ]
}

@Suite("A kernel or container that refuses system calls", .ownThreads)
struct RefusingKernelTests {
    private static let isRoot = getuid() == 0

    private func emblem(
        _ refused: [String], _ arguments: [String], in folder: ScratchFolder
    ) throws -> Tool.Ending {
        try Tool.run(
            Tool.path(of: "Refuser"),
            refused + ["--", Tool.path(of: "emblem"), "batch", "in", "-o", "out"] + arguments,
            in: folder.path)
    }

    @Test(
        "a refused system call is named, and never crashes the tool or is ignored",
        arguments: Refusal.all.filter { isRoot || !$0.needsRoot })
    func table(refusal: Refusal) throws { try check(refusal) }

    @Test(
        "a missing resource of the system is named",
        arguments: Refusal.scarce)
    func scarcity(refusal: Refusal) throws { try check(refusal) }

    private func check(_ refusal: Refusal) throws {
        let folder = try ScratchFolder()
        for index in 0..<3 {
            try folder.write(
                Pictures.disc(.black, width: 60 + index, height: 60), to: "in/\(index).png")
        }
        let run = try emblem(refusal.refused, refusal.arguments, in: folder)
        #expect(run.status == refusal.status, "\(run.errors)")
        if !refusal.words.isEmpty {
            #expect(run.errors.contains(refusal.words), "\(run.errors)")
        }
        let hasManifest = folder.exists("out/manifest.ndjson")
        #expect(hasManifest == (refusal.status == 0))
        if hasManifest {
            let confinement = try Self.confinement(in: folder)
            #expect(confinement.contains(refusal.confinement))
            #expect(try ManifestText(folder).summary?["ok"]?.intValue == 3)
        }
    }

    /// Returns the line of the run record about the confinement.
    private static func confinement(in folder: ScratchFolder) throws -> String {
        let lines = try folder.text("out/run.json").split(separator: "\n")
        let line = lines.first { $0.contains("\"sandbox\": \"") } ?? ""
        return line.split(separator: "\"").dropFirst(3).first.map { String($0) } ?? ""
    }

    @Test("formats reports which protections are in force and why others are not")
    func formats() throws {
        let words = try Tool.run(
            Tool.path(of: "Refuser"),
            ["landlock_create_ruleset=EPERM", "--", Tool.path(of: "emblem"), "formats", "--json"])
        #expect(words.output.contains("no landlock (Operation not permitted)"), "\(words.output)")
        #expect(words.output.contains("\"seccomp\":true,\"landlock\":false"))
    }

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
        let run = try emblem(["cgroup:\(group)"], ["--trim", "auto"], in: folder)
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

    @Test(
        "a run with too few threads for its network lanes loads everything with the lanes it has",
        .enabled(if: isRoot), arguments: [10, 12, 14, 18])
    func fewThreads(threads: Int) throws {
        let folder = try ScratchFolder()
        try #require(unsafe chmod(folder.path, 0o777) == 0)
        let list = (0..<60).map { Web.server.url("files/disc-\($0 % 12).png?\($0)\n") }.joined()
        try folder.write(list, to: "list.txt")
        let run = try Tool.run(
            Tool.path(of: "Refuser"),
            [
                // The limit applies to all threads of a user. This user has no other processes.
                "user:\(61_000 + threads)", "nproc:\(threads)", "--", Tool.path(of: "emblem"),
                "batch", "--list", "list.txt", "-o", "out", "--sandbox", "none", "--jobs", "64",
                "--per-host", "64", "--retries", "0",
            ] + Web.open, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try ManifestText(folder).summary?["ok"]?.intValue == 60)
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
