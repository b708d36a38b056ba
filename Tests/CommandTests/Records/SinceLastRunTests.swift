import Foundation
import Notation
import Support
import Testing

@Suite("The summary of changes since the last run", .ownThreads)
struct SinceLastRunTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.mixedFolder() }

    private func batch(_ rows: String, _ more: String..., out: String = "out") throws -> String {
        try folder.write("source,id\n" + rows, to: "list.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", out, "--report"] + more, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        return run.errors
    }

    @Test("changes since the last run are printed, recorded in run.json and shown in the report")
    func printed() throws {
        let line = "Since the last run: 1 new, 1 gone, 1 now fails"
        let rows = "in/acme.png,a\nin/vector.svg,b\nin/wide.png,c\n"
        let changed = "in/acme.png,a\nin/gone.png,b\nin/wide.png,d\n"
        #expect(try !batch(rows).contains("Since"))
        #expect(try folder.json("out/run.json")["changes"] == nil)
        #expect(try !batch(rows).contains("Since"))
        #expect(try folder.json("out/run.json")[path: ["changes", "unchanged"]]?.intValue == 3)
        #expect(try !folder.text("out/report.html").contains("Since"))
        #expect(try batch(changed).contains(line + "\n"))
        let changes = try folder.json("out/run.json")["changes"]
        #expect(changes?["added"]?.intValue == 1 && changes?["failing"]?.intValue == 1)
        #expect(try RecordTests.complaints("run-1.schema.json", folder.path("out/run.json")) == "")
        #expect(try folder.text("out/report.html").contains(line))
        let summary = try batch(rows, "--progress", "json").split(separator: "\n").last ?? ""
        let record = try JSONParser.parse(Array(summary.utf8).span)
        #expect(record[path: ["changes", "repaired"]]?.intValue == 1)
        #expect(try !batch(changed, "--quiet").contains("Since"))
    }
}
