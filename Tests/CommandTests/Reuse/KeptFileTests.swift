import Glibc
import Raster
import Support
import Testing

@Suite("Foreign files at the place of an output", .ownThreads)
struct KeptFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.mixedFolder() }

    private func run(_ arguments: String...) throws -> Tool.Ending {
        try Tool.emblem(["batch", "in/acme.png", "-o", "out"] + arguments, in: folder.path)
    }

    /// Gives a file a second hard link, because of which it must not be opened for writing.
    private func addName(_ other: String, to name: String) {
        #expect(unsafe link(folder.path(name), folder.path(other)) == 0)
    }

    @Test("a foreign file is moved away although it has another hard link")
    func secondName() throws {
        try folder.write("{}", to: "dist/index.json")
        addName("elsewhere.json", to: "dist/index.json")
        let run = try run("--target", "web=dist", "--layout", "small")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("dist/index.json was not created by emblem"), "\(run.errors)")
        #expect(try folder.text("dist/.emblem/replaced/index.json") == "{}")
        #expect(try folder.text("elsewhere.json") == "{}")
        #expect(try folder.text("dist/index.json") != "{}")
    }

    @Test("a foreign file is moved away when a target moves to another folder")
    func otherFolder() throws {
        #expect(try run("--target", "web=one", "--layout", "small").status == 0)
        let picture = try #require(folder.tree("one").first { $0.hasSuffix(".png") })
        try folder.write("{}", to: "two/index.json")
        try folder.write("mine", to: "two/\(picture)")
        let run = try run("--target", "web=two", "--layout", "small")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("2 files, such as "), "\(run.errors)")
        #expect(try folder.text("two/.emblem/replaced/index.json") == "{}")
        #expect(try folder.text("two/.emblem/replaced/\(picture)") == "mine")
    }

    @Test("the report of an earlier run with a second hard link is not a foreign file")
    func sharedPage() throws {
        #expect(try run("--report").status == 0)
        addName("page.html", to: "out/report.html")
        let before = try folder.text("page.html")
        let run = try run("--report", "--padding", "5")
        #expect(run.status == 0 && !run.errors.contains("not created by"), "\(run.errors)")
        #expect(try folder.text("page.html") == before)
        #expect(try folder.text("out/report.html") != before)
    }

    @Test("an output of an item that failed later is not a foreign file, and can be pruned")
    func halfAnItem() throws {
        folder.makeFolder("out/large/acme.png")
        let layouts = ["--layout", "small,large", "--prune=100%"]
        func run(_ more: String...) throws -> Tool.Ending {
            try Tool.emblem(
                ["batch", "in/acme.png", "-o", "out"] + layouts + more, in: folder.path)
        }
        #expect(try run().status == 1)
        #expect(folder.exists("out/small/acme.png"))
        #expect(unsafe rmdir(folder.path("out/large/acme.png")) == 0)
        let again = try run("--padding", "4")
        #expect(again.status == 0 && !again.errors.contains("not created by"), "\(again.errors)")
        folder.remove("out/large/acme.png")
        folder.makeFolder("out/large/acme.png")
        #expect(try run("--padding", "6").status == 1)
        let other = try Tool.emblem(
            ["batch", "in/vector.svg", "-o", "out"] + layouts, in: folder.path)
        #expect(other.status == 0, "\(other.errors)")
        #expect(!folder.exists("out/small/acme.png"))
        #expect(!folder.exists("out/.emblem/outputs.ndjson"))
    }

    @Test("a foreign file is still moved away after a run that failed before its pictures")
    func unfinished() throws {
        try folder.write("mine", to: "web/index.json")
        folder.link("web/emblem.css", to: "/nowhere")
        #expect(try run("--target", "web=web", "--layout", "small").status == 73)
        folder.remove("web/emblem.css")
        #expect(try run("--target", "web=web", "--layout", "small").status == 0)
        #expect(try folder.text("web/.emblem/replaced/index.json") == "mine")
    }

    @Test("a foreign file at the former name of an output is moved away")
    func formerName() throws {
        let layout = ["--layout", "small"]
        func run(_ source: String) throws -> Tool.Ending {
            try Tool.emblem(["batch", source, "-o", "out"] + layout, in: folder.path)
        }
        #expect(try run("in/acme.png").status == 0)
        #expect(try run("in/wide.png").status == 0)
        try folder.write("mine", to: "out/small/acme.png")
        try folder.write(Pictures.disc(.black, width: 90, height: 90), to: "in/acme.png")
        let again = try run("in/acme.png")
        #expect(again.errors.contains("was not created by emblem"), "\(again.errors)")
        #expect(try folder.text("out/.emblem/replaced/small/acme.png") == "mine")
    }

    @Test("a foreign file at the place of the report is moved away, even if nothing else changed")
    func report() throws {
        #expect(try run("--layout", "small").status == 0)
        try folder.write("mine", to: "out/report.html")
        let run = try run("--layout", "small", "--report")
        #expect(
            run.status == 0 && run.errors.contains("was not created by emblem"), "\(run.errors)")
        #expect(try folder.text("out/.emblem/replaced/report.html") == "mine")
    }
}
