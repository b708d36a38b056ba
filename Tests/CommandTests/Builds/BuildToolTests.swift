import Foundation
import Raster
import Support
import Testing

/// Runs the examples of the documentation for build tools with the real tools.
@Suite("A set of emblems as a build target", .ownThreads)
struct BuildToolTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let file: String
        /// The commands of one build, and the folder of the set.
        let commands: [String]
        let folder: String

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "make", file: "Makefile", commands: ["make EMBLEM=$TOOL"], folder: "."),
        Case(
            name: "ninja", file: "build.ninja",
            commands: ["sed -i \"s|^emblem = .*|emblem = $TOOL|\" build.ninja", "ninja"],
            folder: "."),
        Case(
            name: "cmake", file: "CMakeLists.txt",
            commands: ["cmake -G Ninja -S . -B made -DEMBLEM=$TOOL", "cmake --build made"],
            folder: "made"),
    ]

    private static let examples = Repository.root.appending(path: "Tests/Examples/Builds")

    private func logo(_ name: String, red: UInt8, in folder: ScratchFolder) throws {
        let color = Color(red: red, green: 95, blue: 255)
        try folder.write(
            try Pictures.disc(color, width: 24, height: 24), to: "logos/\(name).png")
    }

    /// Builds, and returns whether a batch was run.
    private func build(_ tool: Case, in folder: ScratchFolder) throws -> Bool {
        let journal = folder.path("\(tool.folder)/emblems/run.json")
        func stamp() -> Date? {
            try? FileManager.default.attributesOfItem(atPath: journal)[.modificationDate] as? Date
        }
        let before = stamp()
        for command in tool.commands {
            let run = try Tool.run(
                "/bin/sh", ["-ec", command], in: folder.path,
                environment: ["TOOL": Tool.path(of: "emblem")])
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
        return stamp() != before
    }

    @Test(
        "a build tool makes a set once, and again only after a change of its pictures",
        arguments: cases)
    func settles(tool: Case) throws {
        let folder = try ScratchFolder()
        let text = try String(
            contentsOf: Self.examples.appending(path: tool.file), encoding: .utf8)
        try folder.write(text, to: tool.file)
        try logo("a", red: 10, in: folder)
        try logo("sub/b", red: 20, in: folder)
        func expectOneRun(_ change: Comment) throws {
            #expect(try build(tool, in: folder), change)
            #expect(try !build(tool, in: folder), change)
        }
        try expectOneRun("nothing was there")
        #expect(folder.exists("\(tool.folder)/emblems/small/sub/b.png"))
        for name in ["a", "sub/b"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date()], ofItemAtPath: folder.path("logos/\(name).png"))
        }
        try expectOneRun("only times changed")
        try logo("a", red: 200, in: folder)
        try expectOneRun("a picture changed")
        try logo("sub/c", red: 30, in: folder)
        try expectOneRun("a picture came")
        #expect(folder.exists("\(tool.folder)/emblems/small/sub/c.png"))
        folder.remove("logos/sub/b.png")
        try expectOneRun("a picture went")
        #expect(!folder.exists("\(tool.folder)/emblems/small/sub/b.png"))
    }

    @Test("the rows of a list cannot inject rules or commands into a build tool")
    func hostileRows() throws {
        let folder = try ScratchFolder()
        try logo("a (1)", red: 10, in: folder)
        try logo("b$c#d:e", red: 20, in: folder)
        let rows = [
            "logos/a (1).png", "logos/b$c#d:e.png", "x%.png", "x.png;touch${IFS}PWNED;x=1",
            "SHELL=/nowhere", "logos/*.png", "a|b.png", ".PHONY", "-include.png", "~root",
            "a\\b.png", "x\ty.png", "all&", "lib(member)",
        ]
        for row in rows where !row.hasPrefix("logos/") || row.contains("*") {
            try folder.write("no picture", to: row)
        }
        try folder.write(rows.joined(separator: "\n") + "\n", to: "list.txt")
        let run = try Tool.emblem(
            [
                "batch", "--list", "list.txt", "-o", "out", "--layout", "small", "--depfile",
                "out.d",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("out.d lacks 8 paths with special characters"), "\(run.errors)")
        try folder.write(
            "out/manifest.ndjson:\n\t@echo made\n-include out.d\n.PHONY: all\n", to: "Makefile")
        func make() throws -> Tool.Ending {
            try Tool.run(
                "/usr/bin/make", ["--warn-undefined-variables", "out/manifest.ndjson"],
                in: folder.path)
        }
        let first = try make()
        #expect(first.status == 0, "\(first.output)\(first.errors)")
        #expect(!first.errors.contains("warning"), "\(first.errors)")
        #expect(!folder.exists("PWNED"))
        // For a name that make can express, a newer picture lets make run the rule again.
        let start = Date()
        func age(_ name: String, _ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: start.addingTimeInterval(seconds)],
                ofItemAtPath: folder.path(name))
        }
        for (index, name) in ["logos/a (1).png", "logos/b$c#d:e.png"].enumerated() {
            try age("out/manifest.ndjson", Double(index) * 10)
            #expect(try !make().output.contains("made"), "\(name)")
            try age(name, Double(index) * 10 + 5)
            #expect(try make().output.contains("made"), "\(name)")
        }
    }

    @Test("a build tool makes a set once even if its list names missing files")
    func missingRows() throws {
        let folder = try ScratchFolder()
        try logo("a", red: 10, in: folder)
        try folder.write(
            "id,source,alternatives\na,gone/a.png,logos/none.png logos/a.png\nb,logos/b.png,\n",
            to: "list.csv")
        try folder.write(
            """
            out/manifest.ndjson:
            \t$(EMBLEM) batch --list list.csv -o out --layout small --depfile out.d
            -include out.d

            """, to: "Makefile")
        func make() throws -> Tool.Ending {
            let run = try Tool.run(
                "/usr/bin/make", ["EMBLEM=\(Tool.path(of: "emblem"))"], in: folder.path)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            return run
        }
        #expect(try make().output.contains("batch"))
        let again = try make()
        #expect(again.output.contains("up to date"), "\(again.output)\(again.errors)")
        // A removed image causes one batch. A new image is noticed if the list names it.
        folder.remove("logos/a.png")
        #expect(try make().output.contains("batch"))
        #expect(try make().output.contains("up to date"))
        try logo("b", red: 20, in: folder)
        try folder.write("source\nlogos/b.png\n", to: "list.csv")
        #expect(try make().output.contains("batch"))
        #expect(try folder.text("out.d").contains("logos/b.png:"))
    }
}
