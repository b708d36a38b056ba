import Notation
import Raster
import Support
import Testing

@Suite("Updates of an existing set", .ownThreads)
struct StandingSetTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try Pictures.discFolder()
    }

    private func run(_ words: [String], status: Int32 = 0) throws -> Tool.Ending {
        let ending = try Tool.emblem(
            ["batch"] + words + ["-o", "out", "--layout", "small"], in: folder.path)
        #expect(ending.status == status, "\(ending.errors)")
        return ending
    }

    private func reused() throws -> Int? {
        let bytes = try folder.read("out/run.json")
        return try JSONParser.parse(bytes.span)["reused"]?.intValue
    }

    private func contents() throws -> [[UInt8]] {
        var contents: [[UInt8]] = []
        for name in folder.tree("out") where name != "run.json" {
            contents.append(try folder.read("out/\(name)"))
        }
        return contents
    }

    @Test("an existing set is recognised at any length and in any order of the list")
    func long() throws {
        // Each row is a separate item; items with the same source share one file.
        let names = ["a", "b", "c"]
        let rows = (0..<2_300).map { number in "in/\(names[number % 3]).png,row \(number)\n" }
        try folder.write("source,label\n" + rows.joined(), to: "list.csv")
        _ = try run(["--list", "list.csv"])
        let before = try contents()
        _ = try run(["--list", "list.csv"])
        #expect(try reused() == 2_300)
        let manifest = try folder.read("out/manifest.ndjson")
        try folder.write("source,label\n" + rows.reversed().joined(), to: "list.csv")
        folder.remove("out/small/a.png")
        try folder.write("somebody else's", to: "out/small/b.png")
        _ = try run(["--list", "list.csv"])
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
        try folder.write("source,label\n" + rows.joined(), to: "list.csv")
        _ = try run(["--list", "list.csv"])
        #expect(try folder.read("out/manifest.ndjson") == manifest)
        let after = try contents()
        #expect(after == before)
    }

    @Test("an existing set is continued from any row, and by a part of it")
    func parts() throws {
        let rows = (0..<2_400).map { number in "in/a.png,row \(number)\n" }
        try folder.write("source,label\n" + rows.joined(), to: "list.csv")
        _ = try run(["--list", "list.csv"])
        _ = try run(["--list", "list.csv", "--limit", "3"])
        #expect(try reused() == 3)
        try folder.write("source,label\n" + rows[2_200...].joined(), to: "list.csv")
        _ = try run(["--list", "list.csv"])
        #expect(try reused() == 200)
    }

    @Test("an existing set is drawn again only where a source changed")
    func changed() throws {
        _ = try run(["in"])
        let (a, b) = (try folder.read("out/small/a.png"), try folder.read("out/small/b.png"))
        let other = Color(red: 200, green: 30, blue: 30)
        try folder.write(Pictures.disc(other, width: 20, height: 20), to: "in/a.png")
        folder.remove("in/c.png")
        _ = try run(["in"])
        #expect(try reused() == 1)
        #expect(try folder.read("out/small/a.png") != a)
        #expect(try folder.read("out/small/b.png") == b)
        // Runs as if there were no set.
        _ = try Tool.emblem(
            ["batch", "in", "-o", "fresh", "--layout", "small"], in: folder.path)
        let manifests = (
            try folder.read("out/manifest.ndjson"), try folder.read("fresh/manifest.ndjson")
        )
        #expect(manifests.0 == manifests.1)
    }

    @Test(
        "an existing set that grows has the manifest of a new one, including rows of one source",
        arguments: [false, true])
    func grown(isTouched: Bool) throws {
        let rows = (0..<40).map { number in "in/a.png,row-\(number)\n" }
        try folder.write("source,id\n" + rows[..<2].joined(), to: "list.csv")
        _ = try run(["--list", "list.csv"])
        if isTouched { try folder.write(folder.read("in/a.png"), to: "in/a.png") }
        try folder.write("source,id\n" + rows.joined(), to: "list.csv")
        _ = try run(["--list", "list.csv"])
        _ = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "fresh", "--layout", "small"], in: folder.path)
        let grown = try folder.read("out/manifest.ndjson")
        let fresh = try folder.read("fresh/manifest.ndjson")
        #expect(grown == fresh)
    }

    @Test(
        "an existing set is kept and unlocked if the list cannot be read")
    func brokenList() throws {
        _ = try run(["in"])
        let before = try contents()
        _ = try run(["in", "missing"], status: 66)
        try folder.write("no column of sources\n", to: "bad.csv")
        _ = try run(["in", "--list", "bad.csv"], status: 65)
        // The code with the highest precedence is returned, in any order of inputs.
        _ = try run(["missing", "in", "--list", "bad.csv"], status: 65)
        _ = try run(["--list", "missing.csv", "--list", "bad.csv"], status: 65)
        _ = try run(["--list", "bad.csv", "--theme", "missing.json"], status: 65)
        _ = try run(["in", "--theme", "missing.json"], status: 66)
        // An additional line, which would be lost if the run started over.
        let journal = try folder.text("out/.emblem/journal.ndjson") + "no line of ours\n"
        try folder.write(journal, to: "out/.emblem/journal.ndjson")
        _ = try run(["in", "--list", "bad.csv", "--force"], status: 65)
        #expect(try folder.text("out/.emblem/journal.ndjson") == journal)
        let after = try contents()
        #expect(after == before)
        _ = try run(["in"])
        #expect(try reused() == 3)
    }

    @Test("errors of a command are reported before a lock of another run")
    func held() throws {
        _ = try run(["in"])
        try folder.write("no column of sources\n", to: "bad.csv")
        for (inputs, status) in [
            (["in"], 75), (["in", "--list", "bad.csv"], 65), (["missing"], 66),
        ] {
            let ending = try Tool.run(
                "/usr/bin/flock",
                ["out/.emblem/lock", Tool.path(of: "emblem"), "batch"] + inputs
                    + ["-o", "out", "--layout", "small", "--quiet"],
                in: folder.path)
            #expect(ending.status == Int32(status), "\(inputs): \(ending.errors)")
        }
    }
}
