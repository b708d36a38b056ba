import Cell
import Foundation
import Glibc
import Support
import Testing

@Suite("What holds a cell", .serialized)
struct ConfinementTests {
    /// The lines of /proc that tell about a process.
    private static func status(_ process: pid_t) throws -> [String: String] {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        var lines: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            lines[String(parts[0])] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        return lines
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private static var isRoot: Bool { getuid() == 0 }

    @Test("is everything this kernel has, Landlock included")
    func everything() async throws {
        let confinement = try #require(await CellFixture.pool().confinement())
        #expect(confinement.filtersCalls && confinement.limitsResources && confinement.isNotRoot)
        // A kernel that knows Landlock is one in which it holds.
        #expect(confinement.hidesFiles == (Isolation.process.warning == nil))
        #expect(Isolation.process.refusal == nil && Isolation.none.warning == nil)
    }

    @Test("leaves no capability, no user of its own, no way to more; memory is not to be read")
    func privileges() async throws {
        let pool = CellFixture.pool()
        _ = await pool.confinement()
        let process = try #require(pool.processes.first)
        let status = try Self.status(process)
        for name in ["CapPrm", "CapEff", "CapInh", "CapAmb"] {
            #expect(status[name] == "0000000000000000", "\(name)")
        }
        #expect(status["NoNewPrivs"] == "1" && status["Seccomp"] == "2")
        if Self.isRoot {
            #expect(status["Uid"] == "65534\t65534\t65534\t65534")
            #expect(status["Gid"] == "65534\t65534\t65534\t65534")
            #expect(status["Groups"] == "")
        }
        // What nobody may look into belongs to root in /proc, whoever it runs as.
        var facts = stat()
        #expect(unsafe stat("/proc/\(process)/environ", &facts) == 0 && facts.st_uid == 0)
        let score = try Self.bytes("/proc/\(process)/oom_score_adj")
        #expect(String(decoding: score, as: UTF8.self) == "1000\n")
    }

    @Test("makes no memory code, and opens nothing, also where there is no Landlock")
    func withoutLandlock() throws {
        for (deed, outcome) in [
            ("readFile", "exit 41"), ("listFolder", "exit 41"), ("readEnvironment", "exit 41"),
            ("readFont", "exit 40"), ("runShared", "forbidden system call"),
            ("makeExecutable", "forbidden system call"),
        ] {
            let ending = try Tool.run(
                Tool.path(of: "Refuser"),
                [
                    "landlock_create_ruleset=ENOSYS", "--", Tool.path(of: "CellProbe"), "deed",
                    deed,
                ])
            #expect(ending.output.contains(outcome), "\(deed): \(ending.output)")
            #expect(ending.output.contains("no landlock (Function not implemented)"))
        }
    }

    @Test("a divided cell knows no argument and no variable of its parent")
    func wiped() throws {
        let folder = try ScratchFolder()
        let parent = try Tool.start(
            Tool.path(of: "CellProbe"), ["divided", folder.path("numbers"), "--secret=argument"],
            in: folder.path, environment: ["SECRET": "variable"])
        defer { parent.send(SIGKILL) }
        #expect(Waiting.until { folder.exists("numbers.whole") })
        let processes = try folder.text("numbers.whole").split(separator: " ").compactMap {
            pid_t($0)
        }
        #expect(processes.count == 2)
        for process in processes {
            // Ready, and so arranged.
            #expect(Waiting.until { (try? Self.status(process)["NoNewPrivs"]) == "1" })
            for file in ["cmdline", "environ"] {
                let bytes = try Self.bytes("/proc/\(process)/\(file)")
                #expect(bytes.allSatisfy { $0 == 0 }, "\(file)")
            }
        }
        var facts = stat()
        let own = "/proc/\(parent.processIdentifier)/environ"
        #expect(unsafe stat(own, &facts) == 0 && facts.st_uid == 0)
    }

    @Test("a spare cell that was stopped is ended all the same")
    func stoppedSpare() throws {
        let folder = try ScratchFolder()
        let parent = try Tool.start(
            Tool.path(of: "CellProbe"), ["divided", folder.path("numbers")], in: folder.path)
        #expect(Waiting.until { folder.exists("numbers.whole") })
        let processes = try folder.text("numbers.whole").split(separator: " ").compactMap {
            pid_t($0)
        }
        for process in processes { kill(process, SIGSTOP) }
        parent.send(SIGUSR1)
        #expect(Waiting.until { !parent.isRunning })
        parent.send(SIGKILL)
        #expect(parent.wait().status == 0)
    }

    @Test("cells that were stopped, idle or at work, hold up no end of a pool")
    func stopped() async throws {
        let pool = CellFixture.pool(2)
        let picture = try CellFixture.picture()
        _ = await pool.render(CellFixture.order(picture))
        let work = Task { await pool.render(CellFixture.order(CellFixture.deed("hang"))) }
        #expect(Waiting.until { pool.processes.count == 2 })
        for process in pool.processes { kill(process, SIGSTOP) }
        let clock = ContinuousClock()
        let start = clock.now
        pool.close()
        #expect(clock.now - start < .seconds(5))
        #expect(pool.processes.isEmpty)
        #expect(await work.value.error != nil)
    }
}
