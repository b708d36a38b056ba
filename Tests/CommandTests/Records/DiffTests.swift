import Foundation
import Notation
import Support
import Testing

@Suite("Differences between two sets", .ownThreads)
struct DiffTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try Pictures.mixedFolder()
        let rows = "in/acme.png,a\nin/vector.svg,b\nin/wide.png,c\n"
        try folder.write("source,id\n" + rows, to: "old.csv")
        try folder.write(
            "source,id\nin/vector.svg,new\nin/acme.png,a\nin/gone.png,b\n", to: "new.csv")
        for name in ["old", "new"] {
            let run = try emblem("batch", "--list", "\(name).csv", "-o", name, "--quiet")
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    private func emblem(_ arguments: String...) throws -> Tool.Ending {
        try Tool.emblem(arguments, in: folder.path)
    }

    @Test("diff lists differences between two sets by kind, with counts and exit code 2")
    func text() throws {
        let diff = try emblem("diff", "old", "new")
        #expect(diff.status == 2 && diff.errors.isEmpty)
        #expect(
            diff.output == """
                Now failing (1)
                  ! b  not_found: \(try failure())
                New (1)
                  + new
                Gone (1)
                  - c
                3 items before and 3 now: 1 new, 1 gone, 1 now fails, 1 unchanged

                """)
        let line = try emblem("diff", "--quiet", "old", "new/manifest.ndjson")
        #expect(line.status == 2)
        #expect(line.output.split(separator: "\n").count == 1)
        let same = try emblem("diff", "old", "old/manifest.ndjson")
        #expect(same.status == 0 && same.output == "3 items, no difference\n")
    }

    private func failure() throws -> String {
        try ManifestText(folder, "new").item("b")?[path: ["error", "message"]]?.stringValue ?? ""
    }

    @Test("diff --json follows its schema")
    func json() throws {
        for (other, status, count) in [("new", Int32(2), 3), ("old", 0, 0)] {
            let diff = try emblem("diff", "old", other, "--json")
            #expect(diff.status == status)
            try folder.write(diff.output, to: "diff.json")
            let record = try folder.json("diff.json")
            #expect(record["items"]?.elements?.count == count)
            #expect(record["same"]?.boolValue == (count == 0))
            let path = folder.path("diff.json")
            #expect(try RecordTests.complaints("diff-1.schema.json", path) == "")
        }
    }

    @Test("diff of long lists prints only a part")
    func long() throws {
        let rows = (0..<30).map { "in/vector.svg,item-\(String(100 + $0).dropFirst())\n" }
        try folder.write("source,id\n" + rows.joined(), to: "long.csv")
        #expect(try emblem("batch", "--list", "long.csv", "-o", "long", "--quiet").status == 0)
        let diff = try emblem("diff", "old", "long")
        let lines = diff.output.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("  + ") } == 20)
        #expect(lines.contains("  + item-00") && lines.contains("  + item-19"))
        #expect(lines.contains("  … and 10 more, which --json lists"))
    }

    @Test(
        "diff refuses a set that is missing, unfinished or damaged")
    func refused() throws {
        let missing = try emblem("diff", "old", "nowhere")
        #expect(missing.status == 66 && missing.errors.contains("cannot read nowhere"))
        folder.makeFolder("begun/.emblem")
        try folder.write("", to: "begun/.emblem/journal.ndjson")
        let begun = try emblem("diff", "begun", "old")
        #expect(
            begun.status == 66 && begun.errors.contains("again with the same inputs"),
            "\(begun.errors)")
        let whole = try folder.text("new/manifest.ndjson")
        try folder.write(String(whole.dropLast(40)), to: "cut.ndjson")
        let cut = try emblem("diff", "old", "cut.ndjson")
        #expect(cut.status == 65 && cut.errors.contains("cut.ndjson, line 5"), "\(cut.errors)")
        #expect(try emblem("diff", "old").status == 64)
    }
}
