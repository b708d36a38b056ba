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
}
