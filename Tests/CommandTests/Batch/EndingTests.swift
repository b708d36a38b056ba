import Foundation
import Raster
import Support
import Testing

@Suite("How a run ends", .ownThreads)
struct EndingTests {
    private static func busyFolder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 900, height: 900)
        for index in 0..<400 { try folder.write(picture, to: "in/\(index).png") }
        return folder
    }

    @Test("SIGINT exits with 130 and SIGTERM with 143, in order and without a manifest")
    func signals() throws {
        for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
            let folder = try Self.busyFolder()
            let running = try Tool.start(
                Tool.path(of: "emblem"), ["batch", "in", "-o", "out", "--scale", "1,2,3,4"],
                in: folder.path)
            #expect(Waiting.until { !running.isRunning || !folder.tree("out/small").isEmpty })
            running.send(signal)
            let ending = running.wait()
            #expect(ending.status == status, "\(ending.errors)")
            #expect(!folder.exists("out/manifest.ndjson"))
            #expect(folder.exists("out/.emblem/journal.ndjson"))
            #expect(folder.tree("out/.emblem/tmp", hidden: true).isEmpty)
            // A file with its final name is complete.
            #expect(!folder.tree("out/small").isEmpty)
            for name in folder.tree("out/small") {
                #expect(try folder.read("out/small/\(name)").count > 100)
            }
        }
    }

    /// Returns the signals with a handler of the process, as a bit mask.
    private static func handled(by process: Int32) -> UInt64 {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        return line.flatMap { UInt64($0.dropFirst(7).drop { $0.isWhitespace }, radix: 16) } ?? 0
    }

    @Test("SIGINT and SIGTERM also end a waiting run and other commands with their exit codes")
    func signalsElsewhere() throws {
        let silent = TestServers.faults.url("silent")
        for words in [
            ["render", "emblem", silent, "--allow-private", "-o", "a.png"],
            ["batch", "--list", "pipe", "-o", "out"],
        ] {
            for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
                let folder = try ScratchFolder()
                // A FIFO that no process writes to.
                folder.makeFIFO("pipe")
                let running = try Tool.start(Tool.path(of: "emblem"), words, in: folder.path)
                let bit = UInt64(1) << (signal - 1)
                _ = Waiting.until {
                    Self.handled(by: running.processIdentifier) & bit != 0 || !running.isRunning
                }
                running.send(signal)
                #expect(running.wait().status == status, "\(words)")
            }
        }
    }

    @Test("SIGHUP and SIGINT stay ignored if the parent ignores them, and SIGTERM ends the run")
    func ignoredSignals() throws {
        for (signal, status) in [(SIGHUP, Int32(0)), (SIGINT, 0), (SIGTERM, 143)] {
            let folder = try Self.busyFolder()
            let script = "trap '' HUP INT; exec \"$0\" batch in -o out"
            let running = try Tool.start(
                "/bin/sh", ["-c", script, Tool.path(of: "emblem")], in: folder.path)
            #expect(Waiting.until { !running.isRunning || !folder.tree("out/small").isEmpty })
            running.send(signal)
            let ending = running.wait()
            #expect(ending.status == status, "\(ending.errors)")
        }
    }

    @Test("a run that was suspended continues and ends like an undisturbed run")
    func standstill() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 700, height: 700)
        for index in 0..<60 { try folder.write(picture + [UInt8(index)], to: "in/\(index).png") }
        let calm = try Tool.emblem(["batch", "in", "-o", "calm"], in: folder.path)
        #expect(calm.status == 0, "\(calm.errors)")
        let running = try Tool.start(
            Tool.path(of: "emblem"), ["batch", "in", "-o", "out"], in: folder.path)
        for _ in 0..<3 {
            let count = folder.tree("out/small").count
            _ = Waiting.until { folder.tree("out/small").count > count || !running.isRunning }
            running.send(SIGSTOP)
            // The length of the pause is the purpose of the test.
            usleep(300_000)
            running.send(SIGCONT)
        }
        let ending = running.wait()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try folder.read("out/manifest.ndjson") == folder.read("calm/manifest.ndjson"))
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test("a second run into the same folder exits with 75 and names the first")
    func oneRunHoldsTheFolder() throws {
        let folder = try Self.busyFolder()
        let first = try Tool.start(
            Tool.path(of: "emblem"), ["batch", "in", "-o", "out", "--scale", "1,2,3,4"],
            in: folder.path)
        #expect(Waiting.until { !first.isRunning || !folder.tree("out/small").isEmpty })
        let second = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        #expect(second.status == 75)
        #expect(second.errors.contains("\(first.processIdentifier)"))
        first.send(SIGINT)
        #expect(first.wait().status == 130)
        let third = try Tool.emblem(["batch", "in/1.png", "-o", "out"], in: folder.path)
        #expect(third.status == 0, "\(third.errors)")
    }

    @Test(
        "a run that is stopped before it changes a file leaves the previous manifest",
        arguments: ["verify", "failures"])
    func unfinishedAgain(command: String) throws {
        let (socket, port) = LocalSocket.listen()
        defer { close(socket) }
        let folder = try Pictures.mixedFolder()
        let first = try Tool.emblem(["batch", "in/acme.png", "-o", "out"], in: folder.path)
        #expect(first.status == 0, "\(first.errors)")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "in/acme.png", "http://127.0.0.1:\(port)/a.png", "-o", "out"] + Web.open,
            in: folder.path)
        #expect(LocalSocket.wasReached(socket, within: 10_000))
        running.send(SIGINT)
        #expect(running.wait().status == 130)
        let ended = try Tool.emblem([command, "out"], in: folder.path)
        #expect(ended.status == 0, "\(ended.errors)")
    }
}
