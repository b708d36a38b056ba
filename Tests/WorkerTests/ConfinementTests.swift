import Foundation
import Glibc
import Support
import Testing
import Worker

@Suite("The confinement of a worker", .serialized)
struct ConfinementTests {
    private static let isRoot = getuid() == 0

    @Test("the confinement of a worker is everything this kernel has, Landlock included")
    func everything() async throws {
        let confinement = try #require(await WorkerFixture.pool().confinement())
        #expect(confinement.filtersCalls && confinement.limitsResources && confinement.isNotRoot)
        // If the kernel supports Landlock, it must be active.
        #expect(confinement.hidesFiles == (Isolation.process.warning == nil))
        #expect(Isolation.process.refusal == nil && Isolation.none.warning == nil)
    }

    @Test("a confined worker has no capability or way to gain one, and its memory is hidden")
    func privileges() async throws {
        let pool = WorkerFixture.pool()
        _ = await pool.confinement()
        let process = try #require(pool.processes.first)
        let status = try ProcessFacts.status(process)
        for name in ["CapPrm", "CapEff", "CapInh", "CapAmb"] {
            #expect(status[name] == "0000000000000000", "\(name)")
        }
        #expect(status["NoNewPrivs"] == "1" && status["Seccomp"] == "2")
        if Self.isRoot {
            #expect(status["Uid"] == "65534\t65534\t65534\t65534")
            #expect(status["Gid"] == "65534\t65534\t65534\t65534")
            #expect(status["Groups"] == "")
        }
        // In /proc, a process with hidden memory always belongs to root.
        var facts = stat()
        #expect(unsafe stat("/proc/\(process)/environ", &facts) == 0 && facts.st_uid == 0)
        let score = try ProcessFacts.bytes("/proc/\(process)/oom_score_adj")
        #expect(String(decoding: score, as: UTF8.self) == "1000\n")
    }

    @Test("a confined worker makes no memory executable and opens nothing, also without Landlock")
    func withoutLandlock() throws {
        for (deed, outcome) in [
            ("readFile", "exit 41"), ("listFolder", "exit 41"), ("readEnvironment", "exit 41"),
            ("readFont", "exit 40"), ("runShared", "forbidden system call"),
            ("makeExecutable", "forbidden system call"),
        ] {
            let ending = try Tool.run(
                Tool.path(of: "Refuser"),
                [
                    "landlock_create_ruleset=ENOSYS", "--", Tool.path(of: "WorkerProbe"), "deed",
                    deed,
                ])
            #expect(ending.output.contains(outcome), "\(deed): \(ending.output)")
            #expect(ending.output.contains("no landlock (Function not implemented)"))
        }
    }

    @Test("a pool ends its workers and names the error if the kernel refuses `epoll_wait`")
    func refusedWaits() throws {
        let ending = try Tool.run(
            Tool.path(of: "Refuser"),
            ["epoll_wait=EPERM", "--", Tool.path(of: "WorkerProbe"), "deed", "readFont"])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("epoll_wait: Operation not permitted"), "\(ending.output)")
    }

    /// Starts a probe that writes its process ids to a file, under a refusing kernel or as another
    /// user.
    private static func start(
        _ words: [String], under refused: [String] = [], in folder: ScratchFolder
    ) throws -> (parent: Tool.Running, processes: [pid_t]) {
        try #require(unsafe chmod(folder.path, 0o777) == 0)
        let parent = try Tool.start(
            Tool.path(of: "Refuser"),
            refused + ["--", Tool.path(of: "WorkerProbe"), words[0], folder.path("numbers")]
                + words.dropFirst(),
            in: folder.path, environment: ["SECRET": "variable"])
        let isThere = Waiting.until { folder.exists("numbers.whole") }
        #expect(isThere)
        let text = folder.textIfAny("numbers.whole") ?? ""
        return (parent, text.split(separator: " ").compactMap { pid_t($0) })
    }

    @Test(
        "a worker stays root without capabilities if the system has no other user to switch to",
        .enabled(if: isRoot))
    func root() throws {
        let folder = try ScratchFolder()
        let (parent, processes) = try Self.start(
            ["parent"], under: ["setresuid=EPERM"], in: folder)
        defer { parent.send(SIGKILL) }
        #expect(processes.count == 2)
        for process in processes {
            // A worker that waits for its first job may still be entering the sandbox.
            let sets = ["CapPrm", "CapEff", "CapInh", "CapAmb"]
            let hasNone = Waiting.until {
                guard let status = try? ProcessFacts.status(process) else { return false }
                return sets.allSatisfy { status[$0] == "0000000000000000" }
            }
            #expect(hasNone)
            #expect(try ProcessFacts.status(process)["Uid"]?.hasPrefix("0\t") == true)
        }
    }

    @Test("a worker has limits on files, descriptors and core dumps")
    func limits() async throws {
        let pool = WorkerFixture.pool()
        _ = await pool.confinement()
        let process = try #require(pool.processes.first)
        let text = String(
            decoding: try ProcessFacts.bytes("/proc/\(process)/limits"), as: UTF8.self)
        let limits = text.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(limits.contains("Max file size 0 0 bytes"))
        #expect(limits.contains("Max core file size 0 0 bytes"))
        #expect(limits.contains("Max open files 160 160 files"))
    }

    // Only root can read the descriptors of a process with hidden memory.
    @Test(
        "a forked worker holds only its own socket and memory region, which nothing can resize",
        .enabled(if: isRoot))
    func descriptors() throws {
        let folder = try ScratchFolder()
        let (parent, processes) = try Self.start(["divided"], in: folder)
        defer { parent.send(SIGKILL) }
        #expect(processes.count == 2)
        for process in processes {
            #expect(Waiting.until { (try? ProcessFacts.status(process)["NoNewPrivs"]) == "1" })
            let path = "/proc/\(process)/fd"
            let targets = try ProcessFacts.targets(of: process)
            #expect(targets.count { $0.hasPrefix("socket:") } == 1, "\(targets)")
            #expect(targets.count { $0.hasPrefix("/memfd:") } == 1, "\(targets)")
            let region = unsafe open("\(path)/4", O_RDWR)
            defer { close(region) }
            #expect(region >= 0 && ftruncate(region, 0) != 0 && errno == EPERM)
        }
    }

    @Test("a worker is the only one if the kernel refuses it further siblings")
    func onlyChild() throws {
        let folder = try ScratchFolder()
        let (parent, processes) = try Self.start(
            ["divided"], under: ["sibling=EPERM"], in: folder)
        defer { parent.send(SIGKILL) }
        #expect(processes.count == 1)
        let (other, siblings) = try Self.start(["divided"], in: try ScratchFolder())
        defer { other.send(SIGKILL) }
        // All workers are children of the original process.
        for process in siblings {
            #expect(try ProcessFacts.status(process)["PPid"] == "\(other.processIdentifier)")
        }
        #expect(siblings.count == 2)
    }

    @Test("idle workers forked from one process are discarded once one of them has failed")
    func tainted() throws {
        let ending = try Tool.run(Tool.path(of: "WorkerProbe"), ["tainted"])
        #expect(ending.output.contains("0 left of 3"), "\(ending.output)")
        #expect(ending.output.contains("1 drawn"), "\(ending.output)")
    }

    @Test(
        "Landlock alone lets a worker read the listed files and nothing else",
        .enabled(if: Isolation.process.warning == nil))
    func rules() throws {
        let folder = try ScratchFolder()
        try folder.write("font", to: "font")
        // The test refuses a system call that no program needs, because Refuser then also sets
        // no_new_privs.
        let ending = try Tool.run(
            Tool.path(of: "Refuser"),
            ["unshare=EPERM", "--", Tool.path(of: "WorkerProbe"), "rules", folder.path("font")])
        let lines = ending.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["confined true", "read it true"])
        #expect(lines.dropFirst(2).allSatisfy { $0.hasSuffix("false") }, "\(lines)")
        #expect(lines.count >= 7 && folder.textIfAny("font") == "font")
    }

    @Test(
        "a forked worker keeps no argument and no environment variable of its parent, for any user",
        arguments: isRoot ? [[], ["user:65534"]] : [[]])
    func wiped(under user: [String]) throws {
        let folder = try ScratchFolder()
        let (parent, processes) = try Self.start(
            ["divided", "--secret=argument"], under: user, in: folder)
        defer { parent.send(SIGKILL) }
        #expect(processes.count == 2)
        for process in processes {
            // Wait until the worker is ready.
            #expect(Waiting.until { (try? ProcessFacts.status(process)["NoNewPrivs"]) == "1" })
            for file in ["cmdline", "environ"] {
                let bytes = try ProcessFacts.bytes("/proc/\(process)/\(file)")
                #expect(bytes.allSatisfy { $0 == 0 }, "\(file)")
            }
            // A file of root's in /proc is not readable by other processes of the same user.
            var facts = stat()
            let path = "/proc/\(process)/environ"
            #expect(unsafe stat(path, &facts) == 0 && facts.st_uid == 0)
        }
        var facts = stat()
        let own = "/proc/\(parent.processIdentifier)/environ"
        #expect(unsafe stat(own, &facts) == 0 && facts.st_uid == 0)
    }

    @Test("a pool ends a spare worker that received SIGSTOP")
    func stoppedSpare() throws {
        let folder = try ScratchFolder()
        let parent = try Tool.start(
            Tool.path(of: "WorkerProbe"), ["divided", folder.path("numbers")], in: folder.path)
        #expect(Waiting.until { folder.exists("numbers.whole") })
        let processes = try folder.text("numbers.whole").split(separator: " ").compactMap {
            pid_t($0)
        }
        for process in processes { kill(process, SIGSTOP) }
        let seconds = Waiting.seconds {
            parent.send(SIGUSR1)
            #expect(Waiting.until { !parent.isRunning })
        }
        // The elapsed time is tested: waits for stopped processes could take five seconds each, for
        // two.
        #expect(seconds < 5)
        parent.send(SIGKILL)
        #expect(parent.wait().status == 0)
    }

    @Test("workers that received SIGSTOP, idle or busy, do not delay the end of a pool")
    func stopped() async throws {
        let pool = WorkerFixture.pool(2)
        let picture = try WorkerFixture.picture()
        _ = await pool.render(WorkerFixture.order(picture))
        let work = Task { await pool.render(WorkerFixture.order(WorkerFixture.deed("hang"))) }
        #expect(Waiting.until { pool.processes.count == 2 })
        for process in pool.processes { kill(process, SIGSTOP) }
        // The elapsed time is tested: the pool must not wait for stopped processes.
        #expect(Waiting.seconds { pool.close() } < 5)
        #expect(pool.processes.isEmpty)
        #expect(await work.value.error != nil)
    }
}
