import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Drawings that take more than five processor seconds", .serialized, .ownThreads)
struct RenderTimeoutTests {
    private static let batch = [
        "batch", "in", "-o", "out", "--layout", "small", "--item-timeout", "600", "--jobs", "2",
    ]

    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let late = try #require(HostileDrawing.all.first { $0.ending == .late })
        try folder.write(late.bytes(), to: "in/late.svg")
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "in/good.png")
        return folder
    }

    @Test("an endless drawing ends as timeout, and the next run does not draw it again")
    func drawing() throws {
        let folder = try Self.folder()
        let (run, cost) = try Tool.emblemWithCost(Self.batch, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect((5..<9).contains(cost), "\(cost)")
        let manifest = try ManifestText(folder)
        #expect(manifest.errorClass("late") == "timeout")
        #expect(manifest.item("late")?[path: ["error", "retryable"]]?.boolValue == false)
        #expect(manifest.summary?["ok"]?.intValue == 1)
        // Simulates a run that was killed before its last lines were written.
        let journal = try folder.text("out/.emblem/journal.ndjson")
        let lines = journal.split(separator: "\n").filter { !$0.contains("\"end\":") }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "out/.emblem/journal.ndjson")
        folder.remove("out/manifest.ndjson")
        let (again, less) = try Tool.emblemWithCost(Self.batch, in: folder)
        #expect(again.status == 0, "\(again.errors)")
        #expect(less < 3, "\(less)")
        #expect(try ManifestText(folder).errorClass("late") == "timeout")
    }
}
