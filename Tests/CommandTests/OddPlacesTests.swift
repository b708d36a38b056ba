import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("A run in odd surroundings")
struct OddPlacesTests {
    /// Runs `emblem batch` through a shell that has arranged `surroundings`.
    private static func run(_ surroundings: String, in folder: ScratchFolder) throws -> Tool.Ending
    {
        let batch = "\(Tool.path(of: "emblem")) batch \(folder.path("in")) -o \(folder.path("out"))"
        return try Tool.run(
            "/bin/bash", ["-c", surroundings.replacing("BATCH", with: batch)], in: folder.path)
    }

    @Test(
        "works",
        arguments: [
            "exec BATCH <&-", "exec BATCH >&-", "exec BATCH 2>&-", "exec BATCH <&- >&- 2>&-",
            "exec env -i BATCH", "exec env -i HOME=/nowhere/at/all BATCH",
            "exec env -i XDG_CACHE_HOME=/dev/null BATCH",
            "umask 0; exec BATCH", "mkdir gone; cd gone; rmdir ../gone; exec BATCH",
            "exec taskset -c 0 BATCH", "exec env -i LC_ALL=xx_YY TZ=Nowhere/Else BATCH",
            "BATCH 2>&1 | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}",
        ])
    func works(_ surroundings: String) throws {
        let folder = try Pictures.mixedFolder()
        let run = try Self.run(surroundings, in: folder)
        #expect(run.status == 0, "\(surroundings): \(run.errors)")
        let verified = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verified.status == 0, "\(surroundings): \(verified.output)")
        #expect(folder.tree("out").count == 30)
    }

    @Test("a run whose downloads hang stops in less than two seconds, whatever stops it")
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
                    "none",
                ], in: folder.path)
            while running.isRunning, folder.tree("out/xLarge").isEmpty { usleep(2_000) }
            _ = LocalSocket.wasReached(socket)
            let clock = ContinuousClock()
            let start = clock.now
            running.send(signal)
            let ending = running.wait()
            #expect(clock.now - start < .seconds(2))
            #expect(ending.status == status, "\(ending.errors)")
            #expect(!folder.exists("out/manifest.ndjson"))
            #expect(folder.tree("out/.emblem/tmp", hidden: true).isEmpty)
            let journal = try folder.text("out/.emblem/journal.ndjson")
            #expect(journal.hasSuffix("\n") && journal.contains("\"id\":\"a\""))
        }
    }
}
