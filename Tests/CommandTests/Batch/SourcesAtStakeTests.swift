import Raster
import Support
import Testing

@Suite("Sources that an output would replace", .ownThreads)
struct SourcesAtStakeTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try Pictures.discFolder()
        folder.link("other", to: "in")
        try folder.write("source,id\nin/a.png,c\n", to: "one.csv")
        try folder.write("source,id\nin/a.png,x\nin/b.png,y\nin/c.png,b\n", to: "ids.csv")
        try folder.write("source,id,alternatives\nin/none.png,b,in/b.png\n", to: "other.csv")
        try folder.write("source,id,placeholder\nin/none.png,b,in/b.png\n", to: "own.csv")
    }

    private static let flat = ["--layout", "small", "--name", "{id}.{ext}"]

    private func batch(_ arguments: [String]) throws -> Tool.Ending {
        try Tool.emblem(["batch"] + arguments, in: folder.path)
    }

    @Test(
        "a source that an output would replace is named, and nothing is written",
        arguments: [
            (["in/a.png", "in/b.png", "-o", "in"] + flat, "in/a.png"),
            (["in/a.png", "-o", "other"] + flat, "other/a.png"),
            (["other/a.png", "-o", "./in/"] + flat, "./in/a.png"),
            (["--list", "ids.csv", "-o", "in"] + flat, "in/b.png"),
            (["--list", "other.csv", "-o", "in"] + flat, "in/b.png"),
            (["--list", "own.csv", "-o", "in"] + flat, "in/b.png"),
            (["--list", "one.csv", "-o", "in", "--placeholder", "in/c.png"] + flat, "in/c.png"),
            (["--list", "ids.csv", "-o", "out", "--target", "web,files=in/"] + flat, "in/b.png"),
            (
                ["in/a.png", "-o", ".", "--layout", "small", "--name", "in/{id}.{ext}"],
                "./in/a.png"
            ),
            (
                [
                    "in/a.png", "-o", "in", "--layout", "small", "--name", "{id}.{ext}",
                    "--format", "webp,png",
                ], "in/a.png"
            ),
            (
                [
                    "in/a.png", "-o", "in", "--layout", "small", "--name", "{id}.{ext}",
                    "--format", "same",
                ], "in/a.png"
            ),
        ])
    func refused(arguments: [String], name: String) throws {
        let before = try ["a", "b", "c"].map { try folder.read("in/\($0).png") }
        for more in [[], ["--dry-run"], ["--force", "--quiet"]] {
            let run = try batch(arguments + more)
            #expect(run.status == 64, "\(arguments): \(run.errors)")
            #expect(
                run.errors.contains(
                    "\(name) is a source of this run and would be overwritten"),
                "\(arguments): \(run.errors)")
        }
        #expect(!folder.exists("in/.emblem") && !folder.exists("out/manifest.ndjson"))
        #expect(try ["a", "b", "c"].map { try folder.read("in/\($0).png") } == before)
    }

    @Test("a source in the output folder is allowed if no output takes its name")
    func allowed() throws {
        for arguments in [
            ["in/a.png", "in/b.png", "-o", "in", "--layout", "small"],
            ["in/a.png", "-o", "in", "--format", "webp"] + Self.flat,
            ["--list", "ids.csv", "-o", "in", "--limit", "2"] + Self.flat,
        ] {
            let run = try batch(arguments)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            #expect(
                !run.errors.contains("was not created by emblem"), "\(arguments): \(run.errors)")
        }
    }

    @Test("a source that is an emblem of the set, or the target of a link, is not replaced")
    func ownEmblems() throws {
        #expect(try batch(["in/a.png", "-o", "out", "--layout", "small"]).status == 0)
        let again = try batch(["out/small", "-o", "out", "--layout", "small"])
        #expect(
            again.status == 64 && again.errors.contains("out/small/a.png is a source"),
            "\(again.errors)")
        folder.makeFolder("link")
        folder.link("link/a.png", to: "../out/small/a.png")
        let link = try batch(["link/a.png", "-o", "out", "--layout", "small"])
        #expect(
            link.status == 64 && link.errors.contains("out/small/a.png is a source"),
            "\(link.errors)")
    }
}
