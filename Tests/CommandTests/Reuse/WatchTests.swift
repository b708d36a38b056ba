import Glibc
import Raster
import Support
import Testing

@Suite("emblem batch --watch", .ownThreads)
struct WatchTests {
    private func write(_ name: String, red: UInt8, in folder: ScratchFolder) throws {
        let color = Color(red: red, green: 95, blue: 255)
        try folder.write(try Pictures.disc(color, width: 24, height: 24), to: name)
    }

    @Test("--watch runs again for new, changed and removed pictures, and ends with a signal")
    func folders() throws {
        let folder = try ScratchFolder()
        try write("in/a.png", red: 10, in: folder)
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "in", "-o", "out", "--layout", "small", "--watch", "--prune"],
            in: folder.path)
        #expect(
            Waiting.until {
                folder.exists("out/small/a.png") && folder.exists("out/manifest.ndjson")
            })
        let first = try folder.read("out/small/a.png")
        try write("in/a.png", red: 200, in: folder)
        #expect(Waiting.until { (try? folder.read("out/small/a.png")) != first })
        try write("in/new/b.png", red: 10, in: folder)
        #expect(Waiting.until { folder.exists("out/small/new/b.png") })
        folder.remove("in/a.png")
        #expect(Waiting.until { !folder.exists("out/small/a.png") })
        running.send(SIGINT)
        let ending = running.wait()
        #expect(ending.status == 130)
        #expect(ending.errors.contains("Watching 2 folders; press Ctrl-C to stop."))
    }

    @Test("--watch continues while a list is temporarily broken")
    func lists() throws {
        let folder = try ScratchFolder()
        try write("in/a.png", red: 10, in: folder)
        try folder.write("source,id\nin/a.png,a\n", to: "list.csv")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "--list", "list.csv", "-o", "out", "--layout", "small", "--watch"],
            in: folder.path)
        #expect(
            Waiting.until {
                folder.exists("out/small/a.png") && folder.exists("out/manifest.ndjson")
            })
        try folder.write("id\na\n", to: "list.csv")
        #expect(Waiting.until { running.errorsSoFar.contains("its header has no column") })
        try folder.write("source,id\nin/a.png,b\n", to: "list.csv")
        #expect(Waiting.until { folder.exists("out/small/b.png") })
        running.send(SIGTERM)
        let ending = running.wait()
        #expect(ending.status == 143)
        #expect(ending.errors.contains("its header has no column"))
    }

    @Test(
        "--watch requires an input that can change",
        arguments: [
            ["-"], ["in", "--dry-run"], ["http://127.0.0.1:9/x.png"], ["icon:lock", "data:,x"],
        ])
    func refused(arguments: [String]) throws {
        let folder = try ScratchFolder()
        try write("in/a.png", red: 10, in: folder)
        let run = try Tool.emblem(["batch", "-o", "out", "--watch"] + arguments, in: folder.path)
        #expect(run.status == 64 && run.errors.contains("can change"))
    }

    @Test("--watch ends if no change can fix the error of a command")
    func ownFolder() throws {
        let folder = try ScratchFolder()
        try write("in/a.png", red: 10, in: folder)
        let run = try Tool.emblem(["batch", "in", "-o", "in", "--watch"], in: folder.path)
        #expect(run.status == 64 && run.errors.contains("Choose another output folder"))
        #expect(!run.errors.contains("Watching"))
    }

    @Test("--watch notices a folder that is removed and restored, and the target of a link")
    func comings() throws {
        let folder = try ScratchFolder()
        try write("in/a.png", red: 10, in: folder)
        try write("in/b.png", red: 20, in: folder)
        try folder.write("in/a.png\n", to: "real/list.txt")
        folder.link("list.txt", to: "real/list.txt")
        folder.makeFolder("pics")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "pics", "--list", "list.txt", "-o", "out", "--layout", "small", "--watch"],
            in: folder.path)
        defer { running.send(SIGKILL) }
        #expect(Waiting.until { folder.exists("out/manifest.ndjson") })
        folder.remove("pics")
        #expect(Waiting.until { running.errorsSoFar.contains("does not exist") })
        try write("pics/new.png", red: 30, in: folder)
        #expect(Waiting.until { folder.exists("out/small/new.png") })
        try folder.write("in/b.png\n", to: "real/list.txt")
        #expect(Waiting.until { folder.exists("out/small/b.png") })
        running.send(SIGINT)
        #expect(running.wait().status == 130)
    }

    @Test("--watch notices changes of a link's target and of a link on its path")
    func links() throws {
        let folder = try ScratchFolder()
        try write("store/a.png", red: 10, in: folder)
        try write("in/.v1/k.png", red: 20, in: folder)
        try write("in/.v2/k.png", red: 220, in: folder)
        folder.link("in/a.png", to: "../store/a.png")
        folder.link("in/..data", to: ".v1")
        folder.link("in/k.png", to: "..data/k.png")
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            ["batch", "in", "-o", "out", "--layout", "small", "--watch"], in: folder.path)
        defer { running.send(SIGKILL) }
        #expect(Waiting.until { running.errorsSoFar.contains("Watching") })
        let (a, k) = (try folder.read("out/small/a.png"), try folder.read("out/small/k.png"))
        try write("store/a.png", red: 200, in: folder)
        #expect(Waiting.until { (try? folder.read("out/small/a.png")) != a })
        #expect(Waiting.until { running.errorsSoFar.split(separator: "Watching").count > 2 })
        // Simulates the update of a Kubernetes volume: a new link replaces the old one.
        folder.link("in/..new", to: ".v2")
        #expect(unsafe rename(folder.path("in/..new"), folder.path("in/..data")) == 0)
        #expect(Waiting.until { (try? folder.read("out/small/k.png")) != k })
        running.send(SIGINT)
        #expect(running.wait().status == 130)
    }
}
