import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("emblem batch --render-timeout", .serialized, .ownThreads)
struct RenderTimeoutTests {
    private static let late = HostileDrawing.all.filter { $0.ending == .late }.prefix(4)

    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for (index, drawing) in late.enumerated() {
            try folder.write(drawing.bytes(), to: "in/late-\(index).svg")
        }
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "in/good.png")
        return folder
    }

    private static let batch = [
        "batch", "in", "-o", "out", "--layout", "small", "--render-timeout", "0.4",
        "--item-timeout", "600", "--jobs", "1",
    ]

    @Test("--render-timeout ends a drawing after its processor time, with any --item-timeout")
    func drawings() throws {
        let folder = try Self.folder()
        let (run, cost) = try Tool.emblemWithCost(Self.batch, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        // 0.4 s for each of four items, and a little for new workers.
        #expect((1.6..<6).contains(cost))
        let manifest = try ManifestText(folder)
        for index in Self.late.indices {
            let item =
                manifest.items.first { $0["name"]?.stringValue == "late-\(index)" }
                ?? manifest.items.first { $0["id"]?.stringValue == "late-\(index)" }
            #expect(item?[path: ["error", "class"]]?.stringValue == "timeout", "\(index)")
            #expect(item?[path: ["error", "retryable"]]?.boolValue == false)
        }
        #expect(manifest.summary?["ok"]?.intValue == 1)
        #expect(try folder.text("out/manifest.ndjson").contains("\"render_timeout\":0.4"))
        #expect(try folder.text("out/.emblem/journal.ndjson").contains("--render-timeout"))
    }

    private static func residentKilobytes(of process: Int32) -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    @Test("--render-timeout ends a whole list of endless drawings with constant memory")
    func manyDrawings() throws {
        let folder = try ScratchFolder()
        let noise = String(repeating: "<feTurbulence numOctaves='1000000'/>", count: 3)
        for index in 0..<80 {
            try folder.write(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><filter id='f'>\(noise)"
                    + "</filter><rect width='9' height='9' filter='url(#f)'/><!--\(index)--></svg>",
                to: "in/\(index).svg")
        }
        let running = try Tool.start(
            Tool.path(of: "emblem"),
            [
                "batch", "in", "-o", "out", "--layout", "small", "--render-timeout", "0.05",
                "--item-timeout", "600", "--jobs", "2",
            ], in: folder.path)
        var early = 0
        var late = 0
        while running.isRunning {
            let done = folder.tree("out/small").count
            if let now = Self.residentKilobytes(of: running.processIdentifier) {
                if done <= 20 { early = max(early, now) } else { late = max(late, now) }
            }
            // Takes a hundred samples a second.
            usleep(10_000)
        }
        let run = running.wait()
        #expect(run.status == 0, "\(run.errors)")
        #expect(early > 0 && late < early + 6_000, "\(early) KB, then \(late) KB")
        let manifest = try ManifestText(folder)
        #expect(manifest.items.count == 80)
        for item in manifest.items {
            #expect(item[path: ["error", "class"]]?.stringValue == "timeout")
        }
    }

    @Test("a resumed run does not repeat a drawing that --render-timeout ended")
    func resumed() throws {
        let folder = try Self.folder()
        #expect(try Tool.emblem(Self.batch, in: folder.path).status == 0)
        // Simulates a run that was killed before its last lines were written.
        let journal = try folder.text("out/.emblem/journal.ndjson")
        let lines = journal.split(separator: "\n").filter { !$0.contains("\"end\":") }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "out/.emblem/journal.ndjson")
        folder.remove("out/manifest.ndjson")
        let (run, cost) = try Tool.emblemWithCost(Self.batch + ["--resume"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        // Rendering one of the slow drawings again would take this time alone.
        #expect(cost < 0.4)
        #expect(try folder.json("out/run.json")["resumed"]?.intValue == 5)
        #expect(try ManifestText(folder).summary?["ok"]?.intValue == 1)
    }

    @Test("--render-timeout applies without isolation after the current step")
    func inProcess() throws {
        let folder = try ScratchFolder()
        // A drawing that takes about a second.
        let shapes = (0..<60_000).map {
            "<circle cx='\($0 % 9)' cy='4' r='\(1 + $0 % 5)' fill-opacity='.1'/>"
        }
        let text = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
        try folder.write(text + shapes.joined() + "</svg>", to: "in/heavy.svg")
        for isolation in ["none", "process"] {
            let run = try Tool.emblem(
                [
                    "batch", "in", "-o", isolation, "--render-timeout", "0.02", "--sandbox",
                    isolation,
                ], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let text = try folder.text("\(isolation)/manifest.ndjson")
            #expect(text.contains("\"class\":\"timeout\""), "\(isolation): \(text)")
        }
    }

    @Test("--render-timeout is recorded, and a run is not resumed with another value")
    func identity() throws {
        let folder = try Self.folder()
        #expect(try Tool.emblem(Self.batch, in: folder.path).status == 0)
        let journal = try folder.text("out/.emblem/journal.ndjson")
        let lines = journal.split(separator: "\n").filter { !$0.contains("\"end\":") }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "out/.emblem/journal.ndjson")
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--layout", "small", "--item-timeout", "600", "--resume"],
            in: folder.path)
        #expect(run.status == 64 && run.errors.contains("render-timeout"), "\(run.errors)")
    }
}
