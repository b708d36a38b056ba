import Glibc
import Support
import Testing

@Suite("emblem bench", .ownThreads)
struct BenchTests {
    @Test(
        "a signal stops bench in order and leaves no files",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func stopped(signal: Int32, status: Int32) throws {
        let folder = try ScratchFolder()
        folder.makeFolder("scratch")
        let run = try Tool.start(
            Tool.path(of: "emblem"),
            ["bench", "--preset", "one", "--rounds", "100"],
            in: folder.path, environment: ["TMPDIR": folder.path("scratch")])
        // Wait until a run is in progress.
        #expect(Waiting.until { folder.tree("scratch").count >= 3 })
        run.send(signal)
        let end = run.wait()
        #expect(end.status == status, "\(end.errors)")
        #expect(folder.names(in: "scratch").isEmpty)
        #expect(end.errors.contains("Interrupted"))
    }
}
