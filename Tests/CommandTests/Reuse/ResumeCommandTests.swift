import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Interrupted and repeated runs", .ownThreads)
struct ResumeCommandTests {
    private static let tool = Tool.path(of: "emblem")

    @Test("an interrupted run says how to continue, and the same command continues it")
    func words() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 700, height: 700)
        for index in 0..<300 { try folder.write(picture, to: "in/\(index).png") }
        let batch = ["batch", "in", "-o", "out", "--scale", "1,2,3"]
        let running = try Tool.start(Self.tool, batch, in: folder.path)
        #expect(Waiting.until { !running.isRunning || !folder.tree("out/small").isEmpty })
        running.send(SIGINT)
        let ending = running.wait()
        #expect(ending.status == 130)
        #expect(ending.errors.contains("Type 'emblem batch … -o out' again with"))
        let resumed = try Tool.emblem(batch, in: folder.path)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(resumed.errors.contains("finished before the stop"), "\(resumed.errors)")
        let record = try folder.json("out/run.json")
        #expect((record["resumed"]?.intValue ?? 0) > 0)
        #expect(record["items"]?.intValue == 300)
        let verified = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verified.status == 0)
    }

    @Test(
        "a second run over the same pictures rewrites nothing, and --force rewrites no equal file")
    func again() throws {
        let folder = try Pictures.mixedFolder()
        func stamps() throws -> [String: Date?] {
            var stamps: [String: Date?] = [:]
            for name in folder.tree("out") where name != "run.json" {
                let facts = try FileManager.default.attributesOfItem(
                    atPath: folder.path("out/\(name)"))
                stamps[name] = facts[.modificationDate] as? Date
            }
            return stamps
        }
        _ = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        let first = try stamps()
        let second = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        #expect(second.status == 0)
        #expect(second.errors.contains("7 items unchanged (reused)"), "\(second.errors)")
        #expect(try stamps() == first)
        let forced = try Tool.emblem(["batch", "in", "-o", "out", "--force"], in: folder.path)
        #expect(forced.status == 0)
        #expect(!forced.errors.contains("unchanged (reused)"), "\(forced.errors)")
        let pictures = try stamps().filter { $0.key != "manifest.ndjson" }
        #expect(pictures.allSatisfy { first[$0.key] == $0.value })
    }

    @Test("a changed option of a target is named with its old and its new value")
    func targets() throws {
        let folder = try Pictures.mixedFolder()
        let batch = ["batch", "in", "-o", "out", "--layout", "small"]
        let first = try Tool.emblem(
            batch + ["--target", "web,files", "--scale", "1,2"], in: folder.path)
        #expect(first.status == 0, "\(first.errors)")
        for (targets, words) in [
            (["web,files", "--scale", "1"], "--scale for web was 1,2 and is now 1"),
            (["web,files", "--scale", "1", "--format", "webp,png"], "--format for web was"),
            (["web=W,files", "--scale", "1"], "--format for web was"),
            (
                ["web,files", "--scale", "1"],
                "the folder of --target web was a folder outside OUT"
            ),
            (
                ["web=out/w,files", "--scale", "1"],
                "folder of --target web was OUT/web and is now OUT/w"
            ),
            (["files", "--scale", "1"], "--target was web,files and is now not given"),
        ] {
            let run = try Tool.emblem(batch + ["--target"] + targets, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains(words), "\(targets): \(run.errors)")
        }
    }
}
