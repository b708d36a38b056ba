import Foundation
import Glibc
import Support
import Testing

@Suite("An idle worker that waits for its start message")
struct IdleWorkerTests {
    private let folder: ScratchFolder
    private let parent: Tool.Running

    init() throws {
        folder = try ScratchFolder()
        parent = try Tool.start(
            Tool.path(of: "WorkerProbe"), ["divided", folder.path("numbers"), "idle"],
            in: folder.path)
    }

    private var children: [pid_t] { ProcessFacts.children(of: parent.processIdentifier) }

    private static func state(_ process: pid_t) -> String? {
        (try? ProcessFacts.status(process)["State"]) ?? nil
    }

    private static func sockets(of process: pid_t) -> Set<String> {
        Set((try? ProcessFacts.targets(of: process)) ?? []).filter { $0.hasPrefix("socket:") }
    }

    private static func draws(_ process: pid_t) throws -> Bool {
        // Files in /proc report a size of 0, so this file is read until its end.
        let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/maps"))
        let text = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("WorkerProbe"))
        return text.contains("librsvg")
    }

    // Only root can read the memory map of a process with hidden memory.
    @Test(
        "an idle worker runs alone and loads no drawing library until a picture needs one",
        .enabled(if: getuid() == 0)
    )
    func idle() throws {
        defer { parent.send(SIGKILL) }
        #expect(Waiting.until { !children.isEmpty })
        let first = try #require(children.first)
        // The parent alone holds the other ends of the sockets, so that the worker notices when the
        // parent ends. After a fork each side closes the other's ends.
        #expect(
            Waiting.until {
                let theirs = Self.sockets(of: parent.processIdentifier)
                let own = Self.sockets(of: first)
                return own.subtracting(theirs).count == 2 && theirs.subtracting(own).count == 2
            })
        #expect(Waiting.until { Self.state(first)?.first == "S" })
        #expect(children.count == 1)
        #expect(try !Self.draws(first))
        parent.send(SIGUSR1)
        #expect(Waiting.until { folder.exists("numbers.whole") })
        let numbers = try folder.text("numbers.whole").split(separator: " ").compactMap {
            pid_t($0)
        }
        #expect(numbers.count == 2 && numbers.first == first)
        for process in numbers { #expect(try Self.draws(process)) }
        parent.send(SIGUSR1)
        #expect(parent.wait().status == 0)
    }

    @Test(
        "a worker is the first process that the kernel kills when memory runs out, under any user",
        .enabled(if: getuid() == 0))
    func outOfMemory() throws {
        parent.send(SIGKILL)
        try #require(unsafe chmod(folder.path, 0o777) == 0)
        let user = "65534"
        let other = try Tool.start(
            "/usr/bin/setpriv",
            [
                "--reuid", user, "--regid", user, "--clear-groups", Tool.path(of: "WorkerProbe"),
                "divided", folder.path("others"), "idle",
            ], in: folder.path)
        defer { other.send(SIGKILL) }
        let id = other.processIdentifier
        #expect(Waiting.until { !ProcessFacts.children(of: id).isEmpty })
        other.send(SIGUSR1)
        #expect(Waiting.until { folder.exists("others.whole") })
        let numbers = try folder.text("others.whole").split(separator: " ")
        #expect(numbers.count == 2)
        for number in numbers {
            #expect(
                Waiting.until {
                    (try? ProcessFacts.bytes("/proc/\(number)/oom_score_adj"))
                        == Array("1000\n".utf8)
                })
        }
    }

    @Test("an idle worker ends with its parent")
    func leftAlone() throws {
        #expect(Waiting.until { !children.isEmpty })
        let child = try #require(children.first)
        parent.send(SIGKILL)
        #expect(Waiting.until { Self.state(child).map { $0.hasPrefix("Z") } ?? true })
        _ = parent.wait()
    }
}
