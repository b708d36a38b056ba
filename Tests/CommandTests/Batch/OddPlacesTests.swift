import Foundation
import Raster
import Support
import Testing

@Suite("Runs in unusual environments", .ownThreads)
struct OddPlacesTests {
    @Test("a run on one core does not wait for its own threads")
    func oneCore() throws {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "a.png")
        var times: [Double] = []
        // A thread that wrongly waits for another one waits a second. Other tests may delay a run,
        // but not every run.
        while times.count < 50, times.allSatisfy({ $0 > 0.9 }) {
            let seconds = try Waiting.seconds {
                let ending = try Tool.run(
                    "/usr/bin/taskset",
                    [
                        "-c", "0", Tool.path(of: "emblem"), "batch", "a.png", "-o",
                        "out\(times.count)",
                    ], in: folder.path)
                #expect(ending.status == 0, "\(ending.errors)")
            }
            times.append(seconds)
        }
        #expect(times.last.map { $0 <= 0.9 } == true, "\(times)")
    }

    @Test("a run whose downloads hang stops within two seconds for every way to stop it")
    func hangingDownloads() throws {
        let (socket, port) = LocalSocket.listen()
        defer { close(socket) }
        let rows = (0..<200).map { "http://127.0.0.1:\(port)/\($0).png\n" }.joined()
        for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143), (SIGHUP, 129)] {
            let folder = try ScratchFolder()
            try folder.write("in/a.png\n" + rows, to: "list.txt")
            try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "in/a.png")
            let running = try Tool.start(
                Tool.path(of: "emblem"),
                [
                    "batch", "--list", "list.txt", "-o", "out", "--allow-private", "--cache",
                    "none", "--timeout", "3600", "--item-timeout", "3600",
                ], in: folder.path)
            #expect(Waiting.until { !running.isRunning || !folder.tree("out/xLarge").isEmpty })
            #expect(LocalSocket.wasReached(socket, within: 10_000))
            running.send(signal)
            // A run that waited for the downloads would take an hour.
            #expect(Waiting.until { !running.isRunning })
            let ending = running.wait()
            #expect(ending.status == status, "\(ending.errors)")
            #expect(!folder.exists("out/manifest.ndjson"))
            #expect(folder.tree("out/.emblem/tmp", hidden: true).isEmpty)
            let journal = try folder.text("out/.emblem/journal.ndjson")
            #expect(journal.hasSuffix("\n") && journal.contains("\"id\":\"a\""))
        }
    }
}
